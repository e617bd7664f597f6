// SPDX-License-Identifier: MIT
#include "core/formats/dcp/anatomy.h"
#include "core/formats/dcp/dcp.h"
#include "core/formats/dcp/flat_form.h"
#include "core/formats/torch/torch.h"
#include "core/formats/training/rank_file.h"

namespace wb::dcp {
namespace {

struct CommonFile {
    std::optional<ValueObject> values;
    std::optional<Problem> problem;
};

// What all ranks of megatron-core have in common.
Result<CommonFile> readCommon(const formats::Sources& sources, const std::vector<std::string>& names,
                              const formats::OpenOptions& options, Danger& danger) {
    CommonFile out;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        if (!names[i].ends_with("common.pt")) continue;
        formats::OpenOptions own = options;
        own.progress.report = nullptr;
        const auto part = torch::load(sources[i], own);
        if (!part && part.error().code == ErrorCode::Canceled) return std::unexpected(part.error());
        if (!part) {
            out.problem = asProblem(Severity::Error, "dcp.common", names[i], part.error());
            continue;
        }
        out.values = part->metadata;
        if (part->danger) append(danger, *part->danger);
    }
    return out;
}

} // namespace

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options) {
    if (sources.empty())
        return fail(ErrorCode::Internal, Reason("dcp.request"), WB_TEXT("Internal error: no file was given to read."));
    const std::vector<std::string> names = training::sourceNames(sources, wish);
    if (isFlatFile(names.front())) return readFlatFiles(sources, names, options);
    formats::Index index(sources.size());
    Model& model = index.model;
    Danger danger;
    WB_TRY_ASSIGN(const MetadataFile metadata, readMetadata(*sources.front(), options, danger));
    if (metadata.isIncomplete)
        model.problems.push_back(makeProblem(Severity::Error, "dcp.metadata_incomplete", names.front(), std::nullopt,
                                             WB_TEXT("{} is damaged or too long; not all tensors are listed."), names.front()));
    Joiner joiner(index, sources, names, metadata, options);
    WB_TRY(joiner.run(danger));
    WB_TRY_ASSIGN(CommonFile common, readCommon(sources, names, options, danger));
    if (common.problem) model.problems.push_back(std::move(*common.problem));
    model.format = common.values ? FormatId::Megatron : FormatId::Dcp;
    model.version = common.values ? std::optional<std::string>("torch_dist") : metadata.version;
    ValueObject objects = joiner.objects().take();
    model.checkpoint = std::make_shared<const Checkpoint>(
        describe(index, names, metadata, objects, common.values ? &*common.values : nullptr, joiner.missing()));
    if (common.values) model.metadata.members.push_back({"common.pt", Value::of(std::move(*common.values))});
    for (Member& member : objects.members) model.metadata.members.push_back(std::move(member));
    model.metadata.count = model.metadata.members.size();
    model.danger = std::make_shared<const Danger>(std::move(danger));
    if (options.strictness == formats::Strictness::Strict)
        for (const Problem& problem : model.problems)
            if (problem.severity == Severity::Error) return std::unexpected(asError(ErrorCode::Malformed, problem));
    return index;
}

} // namespace wb::dcp
