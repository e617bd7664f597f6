// SPDX-License-Identifier: MIT
#include "core/formats/training/array_file.h"

#include "core/formats/training/anatomy.h"
#include "core/model/parameters.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::training {
namespace {

// The number of a tensor with one element.
std::optional<double> numberIn(const Model& model, std::string_view name) {
    const auto found = std::ranges::find(model.tensors, name, &TensorInfo::name);
    if (found == model.tensors.end() || found->shape.elements() != 1) return std::nullopt;
    const auto reader = TensorReader::open(model, *found);
    if (!reader) return std::nullopt;
    std::array<float, 1> value{};
    std::vector<std::byte> scratch;
    if (!reader->readF32(0, value, scratch) || !std::isfinite(value[0])) return std::nullopt;
    return value[0];
}

// The member at a path of keys.
const ValueObject* objectAt(const ValueObject& root, std::initializer_list<std::string_view> keys) {
    const ValueObject* at = &root;
    for (const std::string_view key : keys) {
        const Value* const next = at->find(key);
        at = next == nullptr ? nullptr : next->object();
        if (at == nullptr) return nullptr;
    }
    return at;
}

// {"class_name", "config"} as Keras stores an optimizer.
void takeOptimizer(const ValueObject* description, Checkpoint& out) {
    if (description == nullptr) return;
    if (const Value* name = description->find("class_name"); name != nullptr && name->string() != nullptr)
        out.optimizerName = *name->string();
    const Value* const config = description->find("config");
    if (config == nullptr || config->object() == nullptr) return;
    if (const Value* rate = config->object()->find("learning_rate")) out.learningRate = rate->number();
    ValueArray groups;
    groups.count = 1;
    groups.first.push_back(*config);
    out.optimizerGroups = Value::of(std::move(groups));
}

void takeStep(const std::optional<double>& number, Checkpoint& out) {
    if (number && *number >= 0) out.step = static_cast<std::uint64_t>(*number);
}

void describeKeras(const Model& model, Checkpoint& out) {
    out.framework = "keras";
    takeOptimizer(objectAt(model.metadata, {"config.json", "compile_config", "optimizer"}), out);
    takeOptimizer(objectAt(model.metadata, {"training_config", "optimizer_config"}), out);
    // The first variables of an optimizer (keras/src/optimizers/base_optimizer.py).
    takeStep(numberIn(model, "optimizer/vars/0"), out);
    if (const auto rate = numberIn(model, "optimizer/vars/1"); rate && out.step) out.learningRate = rate;
    for (const TensorInfo& tensor : model.tensors) {
        if (!tensor.name.starts_with("optimizer_weights/")) continue;
        if (tensor.name.ends_with("/iteration") || tensor.name.ends_with("/iter") || tensor.name.ends_with("/iter:0"))
            takeStep(numberIn(model, tensor.name), out);
        if (tensor.name.ends_with("/learning_rate"))
            if (const auto rate = numberIn(model, tensor.name)) out.learningRate = rate;
    }
}

CheckpointPart partFor(const TensorInfo& tensor) {
    if (tensor.name.find("seed_generator") != std::string::npos) return CheckpointPart::Rng;
    if (tensor.name == "step") return CheckpointPart::Other;
    return isTrainingState(tensor.name) ? CheckpointPart::Optimizer : CheckpointPart::Weights;
}

} // namespace

std::optional<Checkpoint> describeArrays(const Model& model) {
    const bool isKeras = model.format == FormatId::Keras || model.format == FormatId::KerasH5;
    if (!isKeras && model.format != FormatId::Flax) return std::nullopt;
    PartCounter counter;
    bool hasOptimizer = false, hasWeights = false;
    for (const TensorInfo& tensor : model.tensors) {
        if (tensor.isUncounted()) continue;
        const CheckpointPart part = partFor(tensor);
        hasOptimizer = hasOptimizer || part == CheckpointPart::Optimizer;
        hasWeights = hasWeights || part == CheckpointPart::Weights;
        counter.add(part, tensor);
        if (!model.files.empty()) counter.addFile(part, model.files.front().name);
    }
    if (!hasOptimizer) return std::nullopt;
    Checkpoint out;
    if (isKeras) {
        describeKeras(model, out);
    } else {
        out.framework = "flax";
        takeStep(numberIn(model, "step"), out);
    }
    const bool isWhole = std::ranges::none_of(model.problems, [](const Problem& one) { return one.severity == Severity::Error; });
    out.isResumable = isWhole && hasWeights && out.step.has_value();
    if (!hasWeights) out.missing.push_back({CheckpointPart::Weights, ""});
    if (!out.step) out.missing.push_back({CheckpointPart::Other, "step"});
    out.parts = counter.take();
    return out;
}

} // namespace wb::training
