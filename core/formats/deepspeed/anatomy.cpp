// SPDX-License-Identifier: MIT
#include "core/formats/deepspeed/anatomy.h"

#include <algorithm>
#include <array>

namespace wb::deepspeed {
namespace {

const Value* find(const ValueObject* object, std::string_view key) { return object != nullptr ? object->find(key) : nullptr; }

const ValueObject* objectAt(const ValueObject* object, std::string_view key) {
    const Value* value = find(object, key);
    return value != nullptr ? value->object() : nullptr;
}

std::optional<std::uint64_t> countAt(const ValueObject* object, std::string_view key) {
    const Value* value = find(object, key);
    return value != nullptr ? value->unsignedNumber() : std::nullopt;
}

std::optional<double> numberAt(const ValueObject* object, std::string_view key) {
    const Value* value = find(object, key);
    return value != nullptr ? value->number() : std::nullopt;
}

std::optional<std::string> textAt(const ValueObject* object, std::string_view key) {
    const Value* value = find(object, key);
    return value != nullptr && value->string() != nullptr ? std::optional(*value->string()) : std::nullopt;
}

bool isEnabled(const ValueObject* config, std::string_view section) {
    const Value* enabled = find(objectAt(config, section), "enabled");
    const bool* flag = enabled != nullptr ? std::get_if<bool>(&enabled->data) : nullptr;
    return flag != nullptr && *flag;
}

std::optional<std::string> configPrecision(const ValueObject* config) {
    if (config == nullptr) return std::nullopt;
    if (isEnabled(config, "bf16") || isEnabled(config, "bfloat16")) return "bf16";
    return isEnabled(config, "fp16") ? "fp16" : "fp32";
}

// Keys that DeepSpeed itself writes; everything else is the client's.
bool isOwnKey(std::string_view key) {
    static constexpr std::array<std::string_view, 23> keys = {"module",
                                                              "buffer_names",
                                                              "optimizer",
                                                              "param_shapes",
                                                              "frozen_param_shapes",
                                                              "shared_params",
                                                              "frozen_param_fragments",
                                                              "lr_scheduler",
                                                              "data_sampler",
                                                              "random_ltd",
                                                              "sparse_tensor_module_names",
                                                              "skipped_steps",
                                                              "global_steps",
                                                              "global_samples",
                                                              "dp_world_size",
                                                              "mp_world_size",
                                                              "checkpoint_parallel_dimensions",
                                                              "ds_config",
                                                              "ds_version",
                                                              "num_experts",
                                                              "ds_autoep_layers",
                                                              "autoep_layers",
                                                              "universal_checkpoint_info"};
    return std::ranges::find(keys, key) != keys.end();
}

const StateFile* firstFile(const std::vector<StateFile>& files, StateName::Kind kind) {
    const auto found = std::ranges::find_if(files, [kind](const StateFile& file) { return file.id.kind == kind && file.isRead; });
    return found == files.end() ? nullptr : &*found;
}

void describeClient(const StateFile& model, Checkpoint& out, training::PartCounter& counter) {
    std::set<std::string, std::less<>> generators;
    for (const Member& member : model.metadata.members) {
        if (const char* generator = training::generatorName(member.key)) generators.insert(generator);
        else if (!isOwnKey(member.key)) out.objects.members.push_back(member);
    }
    out.objects.count = out.objects.members.size();
    for (const auto& [name, tensor] : model.tensors)
        if (const char* generator = training::generatorName(std::string_view(name).substr(0, name.find('.'))))
            generators.insert(generator);
    out.rng.assign(generators.begin(), generators.end());
    if (!out.rng.empty()) counter.addFile(CheckpointPart::Rng, model.name);
    if (out.objects.count != 0) counter.addFile(CheckpointPart::Other, model.name);
}

void describeModel(const StateFile& model, Checkpoint& out, training::PartCounter& counter) {
    const ValueObject* stored = &model.metadata;
    out.frameworkVersion = textAt(stored, "ds_version");
    out.step = countAt(stored, "global_steps");
    out.epoch = numberAt(stored, "epoch");
    out.loss = numberAt(stored, "loss");
    const ValueObject* config = objectAt(stored, "ds_config");
    out.precision = configPrecision(config);
    if (config != nullptr) counter.addFile(CheckpointPart::Arguments, model.name);
    out.world.data = countAt(stored, "dp_world_size");
    out.world.tensor = countAt(stored, "mp_world_size");
    out.world.pipeline = countAt(objectAt(stored, "checkpoint_parallel_dimensions"), "pp_degree");
    if (const Value* scheduler = find(stored, "lr_scheduler"); scheduler != nullptr && scheduler->object() != nullptr) {
        out.scheduler = *scheduler;
        counter.addFile(CheckpointPart::Scheduler, model.name);
    }
    if (objectAt(stored, "data_sampler") != nullptr) counter.addFile(CheckpointPart::Data, model.name);
    describeClient(model, out, counter);
}

void describeOptimizer(const StateFile& file, Checkpoint& out, training::PartCounter& counter) {
    const ValueObject* state = objectAt(&file.metadata, "optimizer_state_dict");
    if (state == nullptr) state = &file.metadata; // of a universal checkpoint
    const ValueObject* inner = objectAt(state, "optimizer_state_dict");
    if (inner == nullptr) inner = objectAt(state, "base_optimizer_state");
    if (inner == nullptr) inner = state;
    out.optimizerGroups = training::groupsWithoutParameters(find(inner, "param_groups"));
    if (find(state, "loss_scaler") != nullptr) counter.addFile(CheckpointPart::Scaler, file.name);
    if (!out.frameworkVersion) out.frameworkVersion = textAt(&file.metadata, "ds_version");
    if (!out.precision) out.precision = configPrecision(objectAt(&file.metadata, "ds_config"));
}

} // namespace

Checkpoint describe(const std::vector<StateFile>& files, const std::vector<RankSet>& sets, const Joined& joined,
                    training::PartCounter& counter) {
    Checkpoint out;
    out.framework = "deepspeed";
    const StateFile* model = firstFile(files, StateName::Kind::Model);
    const StateFile* optimizer = firstFile(files, StateName::Kind::Optimizer);
    if (model != nullptr) describeModel(*model, out, counter);
    if (optimizer != nullptr) describeOptimizer(*optimizer, out, counter);
    for (const RankSet& set : sets) {
        if (!out.zeroStage) out.zeroStage = set.stage;
        if (!out.world.data && set.world != 0) out.world.data = set.world;
        out.missing.insert(out.missing.end(), set.missing.begin(), set.missing.end());
    }
    out.learningRate = training::learningRate(out.optimizerGroups);
    out.optimizerName = training::optimizerName(out.optimizerGroups, joined.moments);
    const bool hasOptimizer = !joined.moments.empty();
    // A run without a scheduler stores None for it.
    const bool knowsScheduler = model != nullptr && find(&model->metadata, "lr_scheduler") != nullptr;
    out.isResumable =
        out.missing.empty() && !joined.hasFault && joined.weights != 0 && hasOptimizer && knowsScheduler && out.step.has_value();
    if (joined.weights == 0) out.missing.push_back({CheckpointPart::Weights, ""});
    if (!hasOptimizer) out.missing.push_back({CheckpointPart::Optimizer, ""});
    if (!knowsScheduler) out.missing.push_back({CheckpointPart::Scheduler, ""});
    if (out.rng.empty()) out.missing.push_back({CheckpointPart::Rng, ""});
    out.parts = counter.take();
    out.isJoined = joined.weights != 0;
    return out;
}

} // namespace wb::deepspeed
