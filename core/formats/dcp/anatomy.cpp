// SPDX-License-Identifier: MIT
#include "core/formats/dcp/anatomy.h"

#include "core/formats/training/anatomy.h"
#include "core/model/parameters.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wb::dcp {
namespace {

// The first of these members; null: none.
const Value* anyOf(const ValueObject* object, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys)
        if (const Value* value = object != nullptr ? object->find(key) : nullptr) return value;
    return nullptr;
}

std::optional<std::uint64_t> valueCount(const Value* value) { return value != nullptr ? value->unsignedNumber() : std::nullopt; }

// "__3_0.distcp": 3.
std::optional<std::uint64_t> rankOfFile(std::string_view name) {
    name = name.substr(name.rfind('/') + 1);
    if (!name.starts_with("__")) return std::nullopt;
    std::uint64_t rank = 0;
    const auto [end, error] = std::from_chars(name.data() + 2, name.data() + name.size(), rank);
    return error == std::errc() && end != name.data() + name.size() && *end == '_' ? std::optional(rank) : std::nullopt;
}

std::string firstStep(const MetadataFile& metadata, const std::string& name) {
    const auto path = metadata.paths.find(name);
    return path != metadata.paths.end() && !path->second.empty() ? path->second.front().key : name.substr(0, name.find('.'));
}

bool isModelKey(std::string_view key) {
    static constexpr std::array<std::string_view, 6> keys = {"model", "module", "state_dict", "model_state_dict", "app", "weights"};
    return std::ranges::find(keys, key) != keys.end();
}

class Description {
public:
    Description(const formats::Index& index, const std::vector<std::string>& names, const MetadataFile& metadata)
        : m_index(index), m_names(names), m_metadata(metadata) {}

    // Where there is an entry for the model, other tensors that no optimizer has are no weights.
    void countTensors() {
        const auto& tensors = m_index.model.tensors;
        const bool hasModel = std::ranges::any_of(
            tensors, [&](const TensorInfo& tensor) { return tensor.logical && isModelKey(firstStep(m_metadata, tensor.name)); });
        for (const TensorInfo& tensor : tensors) {
            if (!tensor.logical) continue;
            CheckpointPart part = CheckpointPart::Weights;
            if (isTrainingState(tensor.name)) {
                part = training::generatorName(tensor.name) ? CheckpointPart::Rng : CheckpointPart::Optimizer;
                if (part == CheckpointPart::Optimizer) moments.insert(tensor.name.substr(tensor.name.rfind('.') + 1));
            } else if (hasModel && !isModelKey(firstStep(m_metadata, tensor.name))) part = CheckpointPart::Other;
            counter.add(part, tensor);
            isWhole = isWhole && tensor.source.form() != TensorSource::Form::Unavailable;
            hasWeights = hasWeights || part == CheckpointPart::Weights;
            hasOptimizer = hasOptimizer || part == CheckpointPart::Optimizer;
        }
        for (const std::string& name : m_names)
            if (rankOfFile(name)) {
                if (hasWeights) counter.addFile(CheckpointPart::Weights, name);
                if (hasOptimizer) counter.addFile(CheckpointPart::Optimizer, name);
            }
    }

    training::PartCounter counter;
    std::set<std::string, std::less<>> moments;
    bool isWhole = true, hasWeights = false, hasOptimizer = false;

private:
    const formats::Index& m_index;
    const std::vector<std::string>& m_names;
    const MetadataFile& m_metadata;
};

void describeCommon(const ValueObject& common, Checkpoint& out, training::PartCounter& counter) {
    constexpr const char* file = "common.pt";
    if (!out.step) out.step = valueCount(anyOf(&common, {"iteration"}));
    const Value* args = anyOf(&common, {"args"});
    const ValueObject* arguments = args != nullptr ? args->object() : nullptr;
    if (arguments != nullptr) {
        counter.addFile(CheckpointPart::Arguments, file);
        out.world.tensor = valueCount(anyOf(arguments, {"tensor_model_parallel_size"}));
        out.world.pipeline = valueCount(anyOf(arguments, {"pipeline_model_parallel_size"}));
        out.world.expert = valueCount(anyOf(arguments, {"expert_model_parallel_size"}));
        out.world.data = valueCount(anyOf(arguments, {"data_parallel_size"}));
    }
    if (const Value* scheduler = anyOf(&common, {"opt_param_scheduler", "lr_scheduler"}); scheduler && scheduler->object())
        out.scheduler = *scheduler;
    if (anyOf(&common, {"rng_state"}) != nullptr) counter.addFile(CheckpointPart::Rng, file);
}

} // namespace

Checkpoint describe(const formats::Index& index, const std::vector<std::string>& names, const MetadataFile& metadata,
                    const ValueObject& objects, const ValueObject* common, const std::vector<MissingPart>& missing) {
    Checkpoint out;
    out.framework = common != nullptr ? "megatron-core" : "pytorch";
    out.isJoined = true;
    Description description(index, names, metadata);
    description.countTensors();
    out.step = valueCount(anyOf(&objects, {"step", "global_step", "iteration", "global_steps"}));
    if (const Value* epoch = anyOf(&objects, {"epoch", "current_epoch"})) out.epoch = epoch->number();
    if (const Value* loss = anyOf(&objects, {"loss"})) out.loss = loss->number();
    const Value* optimizer = anyOf(&objects, {"optimizer", "optim", "optimizer_state_dict"});
    const Value* groups = optimizer != nullptr && optimizer->object() ? optimizer->object()->find("param_groups") : nullptr;
    out.optimizerGroups = training::groupsWithoutParameters(groups);
    out.optimizerName = training::optimizerName(out.optimizerGroups, description.moments);
    out.learningRate = training::learningRate(out.optimizerGroups);
    if (const Value* scheduler = anyOf(&objects, {"scheduler", "lr_scheduler", "lr_schedulers"})) out.scheduler = *scheduler;
    std::set<std::uint64_t> ranks;
    for (const std::string& name : names)
        if (const auto rank = rankOfFile(name)) ranks.insert(*rank);
    if (common != nullptr) describeCommon(*common, out, description.counter);
    else if (!ranks.empty()) out.world.data = ranks.size();
    for (const Member& member : objects.members) {
        const bool isOwn = member.key == "step" || (optimizer != nullptr && &member.value == optimizer);
        if (!isOwn) out.objects.members.push_back(member);
    }
    out.objects.count = out.objects.members.size();
    std::set<std::string, std::less<>> generators;
    for (const auto& name : metadata.objects)
        if (const char* generator = training::generatorName(name.substr(name.rfind('.') + 1))) generators.insert(generator);
    out.rng.assign(generators.begin(), generators.end());
    const bool hasScheduler = out.scheduler.type != ValueType::Null;
    out.missing = missing;
    out.isResumable = missing.empty() && description.isWhole && description.hasWeights && description.hasOptimizer &&
                      hasScheduler && out.step.has_value();
    if (!description.hasOptimizer) out.missing.push_back({CheckpointPart::Optimizer, ""});
    if (!hasScheduler) out.missing.push_back({CheckpointPart::Scheduler, ""});
    if (out.rng.empty()) out.missing.push_back({CheckpointPart::Rng, ""});
    out.parts = description.counter.take();
    return out;
}

} // namespace wb::dcp
