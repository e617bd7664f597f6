// SPDX-License-Identifier: MIT
#include "core/formats/training/single_file.h"

#include "core/formats/training/anatomy.h"
#include "core/formats/training/array_file.h"
#include "core/model/parameters.h"

#include <algorithm>

namespace wb::training {
namespace {

constexpr const char* lightningKey = "pytorch-lightning_version";

const Value* firstMember(const ValueObject& object, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys)
        if (const Value* value = object.find(key)) return value;
    return nullptr;
}

// Lightning keeps lists of optimizers and schedulers: the first.
const ValueObject* firstObject(const Value* value) {
    if (value == nullptr) return nullptr;
    if (const ValueArray* array = value->array()) return array->first.empty() ? nullptr : array->first.front().object();
    return value->object();
}

void countTensors(const Model& model, PartCounter& counter, std::set<std::string, std::less<>>& moments,
                  std::set<std::string, std::less<>>& generators) {
    for (const TensorInfo& tensor : model.tensors) {
        if (tensor.isUncounted()) continue;
        const std::string root = tensor.name.substr(0, tensor.name.find('.'));
        const std::string leaf = tensor.name.substr(tensor.name.rfind('.') + 1);
        const bool isState = isTrainingState(tensor.name);
        const char* generator = root.starts_with("rng") || generatorName(root) != nullptr ? generatorName(leaf) : nullptr;
        CheckpointPart part = CheckpointPart::Weights;
        if (root == "callbacks" || root == "loops") part = CheckpointPart::Other;
        else if (generator != nullptr || root.starts_with("rng")) part = CheckpointPart::Rng;
        else if (isState) part = CheckpointPart::Optimizer;
        if (part == CheckpointPart::Rng) generators.insert(generator != nullptr ? generator : "cpu");
        if (part == CheckpointPart::Optimizer) moments.insert(leaf);
        counter.add(part, tensor);
        if (tensor.file() < model.files.size()) counter.addFile(part, model.files[tensor.file()].name);
    }
}

} // namespace

std::optional<Checkpoint> describeFile(const Model& model) {
    const ValueObject& stored = model.metadata;
    const Value* lightning = stored.find(lightningKey);
    const ValueObject* optimizer =
        firstObject(firstMember(stored, {"optimizer_states", "optimizer", "optimizer_state_dict", "optim", "optimizer_state"}));
    // The state of an optimizer may also be a file by itself.
    const Value* groups = optimizer != nullptr ? optimizer->find("param_groups") : stored.find("param_groups");
    const bool hasWeights = std::ranges::any_of(
        model.tensors, [](const TensorInfo& tensor) { return !tensor.isUncounted() && !isTrainingState(tensor.name); });
    if (model.format != FormatId::PyTorch) return describeArrays(model);
    if (lightning == nullptr && (groups == nullptr || groups->array() == nullptr)) return std::nullopt;
    Checkpoint out;
    out.framework = lightning != nullptr ? "lightning" : "pytorch";
    if (lightning != nullptr && lightning->string() != nullptr) out.frameworkVersion = *lightning->string();
    if (const Value* step = firstMember(stored, {"global_step", "step", "iteration", "global_steps"}))
        out.step = step->unsignedNumber();
    if (const Value* epoch = firstMember(stored, {"epoch"})) out.epoch = epoch->number();
    if (const Value* loss = firstMember(stored, {"loss", "best_loss", "val_loss"})) out.loss = loss->number();
    PartCounter counter;
    std::set<std::string, std::less<>> moments, generators;
    countTensors(model, counter, moments, generators);
    out.optimizerGroups = groupsWithoutParameters(groups);
    out.optimizerName = optimizerName(out.optimizerGroups, moments);
    out.learningRate = learningRate(out.optimizerGroups);
    const std::string file = model.files.empty() ? std::string() : model.files.front().name;
    const Value* schedulers = firstMember(stored, {"lr_schedulers", "scheduler", "lr_scheduler", "scheduler_state_dict"});
    if (const ValueObject* scheduler = firstObject(schedulers)) {
        out.scheduler = Value::of(*scheduler);
        counter.addFile(CheckpointPart::Scheduler, file);
    }
    if (const Value* arguments = firstMember(stored, {"hyper_parameters", "args", "config"}); arguments && arguments->object())
        counter.addFile(CheckpointPart::Arguments, file);
    for (const Member& member : stored.members) {
        const bool isState = &member.value == schedulers || isTrainingState(member.key) || member.key == lightningKey;
        if (!isState && member.value.object() == nullptr && member.value.array() == nullptr) out.objects.members.push_back(member);
    }
    if (const Value* given = stored.find("hyper_parameters")) out.objects.members.push_back({"hyper_parameters", *given});
    out.objects.count = out.objects.members.size();
    out.rng.assign(generators.begin(), generators.end());
    const bool hasOptimizer = groups != nullptr;
    const bool hasScheduler = out.scheduler.type != ValueType::Null || (lightning != nullptr && schedulers != nullptr);
    const bool isWhole = std::ranges::none_of(model.problems, [](const Problem& one) { return one.severity == Severity::Error; });
    out.isResumable = isWhole && hasWeights && hasOptimizer && hasScheduler && out.step.has_value();
    if (!hasWeights) out.missing.push_back({CheckpointPart::Weights, ""});
    if (!hasOptimizer) out.missing.push_back({CheckpointPart::Optimizer, ""});
    if (!hasScheduler) out.missing.push_back({CheckpointPart::Scheduler, ""});
    if (!out.step) out.missing.push_back({CheckpointPart::Other, "step"});
    if (out.rng.empty()) out.missing.push_back({CheckpointPart::Rng, ""});
    out.parts = counter.take();
    return out;
}

} // namespace wb::training
