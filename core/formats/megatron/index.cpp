// SPDX-License-Identifier: MIT
#include "core/formats/megatron/join.h"
#include "core/formats/megatron/megatron.h"

#include <algorithm>
#include <array>

namespace wb::megatron {
namespace {

std::optional<std::uint64_t> countIn(const ValueObject* object, std::string_view key) {
    const Value* value = object != nullptr ? object->find(key) : nullptr;
    return value != nullptr ? value->unsignedNumber() : std::nullopt;
}

bool isTrue(const ValueObject* object, std::string_view key) {
    const Value* value = object != nullptr ? object->find(key) : nullptr;
    const bool* flag = value != nullptr ? std::get_if<bool>(&value->data) : nullptr;
    return flag != nullptr && *flag;
}

// "iter_0000050/mp_rank_00_001/model_optim_rng.pt": the folder of the rank.
std::string rankFolder(const std::string& name) {
    const std::size_t end = name.rfind('/');
    if (end == std::string::npos) return {};
    const std::size_t begin = name.rfind('/', end - 1);
    return name.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin == std::string::npos ? 0 : begin + 1));
}

Result<std::vector<MegatronFile>> readFiles(const formats::Sources& sources, const std::vector<std::string>& names,
                                            const formats::OpenOptions& options, formats::Index& index) {
    std::vector<MegatronFile> files;
    training::RankFileReader reader(index, sources, options);
    for (std::uint32_t i = 0; i < sources.size(); ++i) {
        const std::string folder = rankFolder(names[i]);
        const auto rank = parseRankName(folder);
        if (!rank) continue;
        MegatronFile file;
        file.name = names[i];
        file.tensorRank = rank->tensor;
        file.pipelineRank = rank->second.value_or(0);
        file.isOptimizer = names[i].ends_with("distrib_optim.pt");
        WB_TRY(reader.read(i, file.isOptimizer ? folder + ".distrib_optim" : folder, file));
        files.push_back(std::move(file));
    }
    index.model.danger = reader.takeDanger();
    return files;
}

// Ranks without a file, and files with damage.
std::vector<MissingPart> reportMissing(const std::vector<MegatronFile>& files, const Arguments& arguments, Model& model) {
    constexpr std::size_t listed = 50;
    std::vector<MissingPart> missing;
    const bool hasStages = arguments.pipeline > 1;
    for (std::uint32_t stage = 0; stage < arguments.pipeline; ++stage)
        for (std::uint32_t rank = 0; rank < arguments.tensor && missing.size() < listed; ++rank) {
            const auto file = std::ranges::find_if(files, [&](const MegatronFile& one) {
                return one.pipelineRank == stage && one.tensorRank == rank && !one.isOptimizer;
            });
            if (file != files.end() && file->isWhole) continue;
            const std::string folder = rankName(rank, hasStages ? std::optional(stage) : std::nullopt);
            missing.push_back({CheckpointPart::Weights, file != files.end() ? file->name : folder});
            if (file == files.end())
                model.problems.push_back(makeProblem(
                    Severity::Error, "megatron.rank_missing", folder, std::nullopt,
                    WB_TEXT("The file of the rank {} is missing. The tensors that it shares cannot be read; copy its folder."),
                    folder));
        }
    return missing;
}

void describeRng(const Value* stored, Checkpoint& out) {
    const ValueArray* list = stored != nullptr ? stored->array() : nullptr;
    const ValueObject* first = list != nullptr && !list->first.empty() ? list->first.front().object() : nullptr;
    if (first == nullptr) return;
    std::set<std::string, std::less<>> generators{"cpu"}; // a tensor, and not among the plain values
    for (const Member& member : first->members)
        if (const char* name = training::generatorName(member.key); name != nullptr && member.value.type != ValueType::Null)
            generators.insert(name);
    out.rng.assign(generators.begin(), generators.end());
}

bool isOwnKey(std::string_view key) {
    static constexpr std::array<std::string_view, 8> keys = {
        "args", "iteration", "opt_param_scheduler", "lr_scheduler", "rng_state", "optimizer", "model", "checkpoint_version"};
    return std::ranges::find(keys, key) != keys.end();
}

Checkpoint describe(const std::vector<MegatronFile>& files, const Arguments& arguments, std::vector<MissingPart> missing,
                    const formats::Index& index, std::size_t joined, training::PartCounter& counter) {
    Checkpoint out;
    out.framework = "megatron-core";
    out.isJoined = joined != 0;
    out.world.tensor = arguments.tensor;
    out.world.pipeline = arguments.pipeline;
    out.missing = std::move(missing);
    for (const MegatronFile& file : files) counter.addFile(CheckpointPart::Weights, file.name);
    for (const TensorInfo& tensor : index.model.tensors)
        if (!tensor.logical && tensor.name.find(".optimizer.") != std::string::npos) counter.add(CheckpointPart::Optimizer, tensor);
    const auto first = std::ranges::find_if(files, [](const MegatronFile& file) { return file.isRead && !file.isOptimizer; });
    bool hasOptimizer = std::ranges::any_of(files, &MegatronFile::isOptimizer);
    if (first != files.end()) {
        const ValueObject& stored = first->metadata;
        const Value* args = stored.find("args");
        const ValueObject* given = args != nullptr ? args->object() : nullptr;
        out.step = countIn(&stored, "iteration");
        out.world.data = countIn(given, "data_parallel_size");
        out.world.expert = countIn(given, "expert_model_parallel_size");
        if (given != nullptr) {
            out.precision = isTrue(given, "bf16") ? "bf16" : isTrue(given, "fp16") ? "fp16" : "fp32";
            counter.addFile(CheckpointPart::Arguments, first->name);
            if (const Value* rate = given->find("lr")) out.learningRate = rate->number();
        }
        for (const char* key : {"opt_param_scheduler", "lr_scheduler"})
            if (const Value* scheduler = stored.find(key); scheduler != nullptr && scheduler->object()) out.scheduler = *scheduler;
        if (out.scheduler.type != ValueType::Null) counter.addFile(CheckpointPart::Scheduler, first->name);
        describeRng(stored.find("rng_state"), out);
        if (!out.rng.empty()) counter.addFile(CheckpointPart::Rng, first->name);
        hasOptimizer = hasOptimizer || stored.find("optimizer") != nullptr;
        for (const Member& member : stored.members)
            if (!isOwnKey(member.key)) out.objects.members.push_back(member);
        out.objects.count = out.objects.members.size();
    }
    const bool hasScheduler = out.scheduler.type != ValueType::Null;
    out.isResumable = out.missing.empty() && out.isJoined && hasOptimizer && hasScheduler && out.step.has_value();
    if (!hasOptimizer) out.missing.push_back({CheckpointPart::Optimizer, ""});
    if (!hasScheduler) out.missing.push_back({CheckpointPart::Scheduler, ""});
    if (out.rng.empty()) out.missing.push_back({CheckpointPart::Rng, ""});
    out.parts = counter.take();
    return out;
}

} // namespace

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options) {
    formats::Index index(sources.size());
    Model& model = index.model;
    WB_TRY_ASSIGN(std::vector<MegatronFile> files, readFiles(sources, training::sourceNames(sources, wish), options, index));
    const auto first = std::ranges::find_if(files, [](const MegatronFile& file) { return file.isRead && !file.isOptimizer; });
    const Arguments arguments = megatronArguments(first == files.end() ? ValueObject() : first->metadata, files);
    std::vector<MissingPart> missing = reportMissing(files, arguments, model);
    training::PartCounter counter;
    Joiner joiner(index, files, arguments, counter);
    joiner.run();
    model.checkpoint =
        std::make_shared<const Checkpoint>(describe(files, arguments, std::move(missing), index, joiner.joined(), counter));
    model.format = FormatId::Megatron;
    model.version = "per rank";
    if (first != files.end()) model.metadata.members.push_back({first->name, Value::of(std::move(first->metadata))});
    model.metadata.count = model.metadata.members.size();
    if (options.strictness == formats::Strictness::Strict)
        for (const Problem& problem : model.problems)
            if (problem.severity == Severity::Error) return std::unexpected(asError(ErrorCode::Malformed, problem));
    return index;
}

} // namespace wb::megatron
