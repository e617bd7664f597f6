// SPDX-License-Identifier: MIT
#include "core/formats/deepspeed/anatomy.h"
#include "core/formats/deepspeed/deepspeed.h"
#include "core/formats/deepspeed/universal.h"

#include <algorithm>

namespace wb::deepspeed {
namespace {

void noteListedAsStored(const std::vector<StateFile>& files, Model& model) {
    const auto isOther = [](const StateFile& file) {
        return file.id.kind == StateName::Kind::Layer || file.id.kind == StateName::Kind::Expert;
    };
    const auto first = std::ranges::find_if(files, isOther);
    if (first == files.end()) return;
    model.problems.push_back(makeProblem(
        Severity::Warning, "deepspeed.not_joined", first->name, std::nullopt,
        WB_TEXT("{} files of pipeline layers or experts, for example {}, are listed as stored: joining them is not supported."),
        std::ranges::count_if(files, isOther), first->name));
}

// Plain values of the first files: those of the other ranks say the same.
void keepMetadata(std::vector<StateFile>& files, Model& model) {
    for (const StateName::Kind kind : {StateName::Kind::Model, StateName::Kind::Optimizer}) {
        const auto isFirst = [kind](const StateFile& file) { return file.id.kind == kind && file.isRead; };
        const auto found = std::ranges::find_if(files, isFirst);
        if (found != files.end()) model.metadata.members.push_back({found->name, Value::of(std::move(found->metadata))});
    }
    model.metadata.count = model.metadata.members.size();
}

} // namespace

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options) {
    const std::vector<std::string> names = training::sourceNames(sources, wish);
    if (std::ranges::any_of(names, isUniversalFile)) return readUniversal(sources, names, options);
    formats::Index index(sources.size());
    WB_TRY_ASSIGN(std::vector<StateFile> files, readStateFiles(sources, names, options, index));
    Model& model = index.model;
    model.format = FormatId::DeepSpeed;
    training::PartCounter counter;
    Joined joined;
    const auto sets = findRankSets(files, options.limits.filesPerModel, model);
    for (const RankSet& set : sets) {
        WB_TRY(options.progress.at(sources.size(), sources.size()));
        Joiner joiner(index, set, names, counter);
        joiner.run();
        joined.moments.insert(joiner.moments().begin(), joiner.moments().end());
        joined.weights += joiner.joined();
        joined.hasFault = joined.hasFault || joiner.hasFault();
    }
    noteListedAsStored(files, model);
    Checkpoint checkpoint = describe(files, sets, joined, counter);
    if (checkpoint.zeroStage) model.version = fmt::format("ZeRO-{}", *checkpoint.zeroStage);
    model.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
    keepMetadata(files, model);
    if (options.strictness == formats::Strictness::Strict)
        for (const Problem& problem : model.problems)
            if (problem.severity == Severity::Error) return std::unexpected(asError(ErrorCode::Malformed, problem));
    return index;
}

} // namespace wb::deepspeed
