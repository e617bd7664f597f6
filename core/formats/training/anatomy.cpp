// SPDX-License-Identifier: MIT
#include "core/formats/training/anatomy.h"

#include "core/base/checked.h"

#include <algorithm>
#include <limits>

namespace wb::training {
namespace {

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
    return checked::add(a, b).value_or(std::numeric_limits<std::uint64_t>::max());
}

const ValueObject* firstGroup(const Value& groups) {
    const ValueArray* array = groups.array();
    return array != nullptr && !array->first.empty() ? array->first.front().object() : nullptr;
}

} // namespace

PartSummary& PartCounter::at(CheckpointPart part) {
    const auto index = static_cast<std::size_t>(part);
    m_isUsed[index] = true;
    m_parts[index].part = part;
    return m_parts[index];
}

void PartCounter::add(CheckpointPart part, const TensorInfo& tensor) {
    PartSummary& summary = at(part);
    ++summary.tensors;
    summary.parameters = sum(summary.parameters, tensor.shape.elements());
    summary.bytes = sum(summary.bytes, tensor.bytes());
}

void PartCounter::addFile(CheckpointPart part, const std::string& file) {
    at(part);
    m_files[static_cast<std::size_t>(part)].insert(file);
}

void PartCounter::addBytes(CheckpointPart part, std::uint64_t bytes) { at(part).bytes = sum(at(part).bytes, bytes); }

std::vector<PartSummary> PartCounter::take() {
    std::vector<PartSummary> out;
    for (std::size_t i = 0; i < partCount; ++i) {
        if (!m_isUsed[i]) continue;
        m_parts[i].files.assign(m_files[i].begin(), m_files[i].end());
        out.push_back(std::move(m_parts[i]));
    }
    return out;
}

Value groupsWithoutParameters(const Value* paramGroups) {
    if (paramGroups == nullptr || paramGroups->array() == nullptr) return Value::null();
    ValueArray groups = *paramGroups->array();
    for (Value& group : groups.first) {
        if (group.object() == nullptr) return Value::null();
        ValueObject object = *group.object();
        object.count -= std::erase_if(object.members, [](const Member& member) { return member.key == "params"; });
        group = Value::of(std::move(object));
    }
    return Value::of(std::move(groups));
}

std::optional<double> learningRate(const Value& groups) {
    const ValueObject* group = firstGroup(groups);
    const Value* rate = group != nullptr ? group->find("lr") : nullptr;
    return rate != nullptr ? rate->number() : std::nullopt;
}

std::optional<std::string> optimizerName(const Value& groups, const std::set<std::string, std::less<>>& moments) {
    const ValueObject* group = firstGroup(groups);
    const auto has = [&](const char* key) { return group != nullptr && group->find(key) != nullptr; };
    const bool hasAdam = has("betas") && has("eps") && (has("amsgrad") || moments.contains("exp_avg_sq"));
    if (hasAdam) {
        const Value* decoupled = group->find("decoupled_weight_decay");
        const bool* flag = decoupled != nullptr ? std::get_if<bool>(&decoupled->data) : nullptr;
        if (flag == nullptr) return "Adam or AdamW";
        return *flag ? "AdamW" : "Adam";
    }
    if (has("momentum") && has("dampening") && has("nesterov")) return "SGD";
    if (has("alpha") && has("centered")) return "RMSprop";
    if (has("lr_decay") && has("initial_accumulator_value")) return "Adagrad";
    if (has("beta2_decay") || moments.contains("row_var") || moments.contains("exp_avg_sq_row")) return "Adafactor";
    if (has("betas") && moments.contains("exp_avg") && !moments.contains("exp_avg_sq")) return "Lion";
    return std::nullopt;
}

const char* generatorName(std::string_view key) {
    struct Generator {
        std::string_view key;
        const char* name;
    };
    // Keys of transformers, of Megatron-LM and of Lightning, in this order.
    static constexpr std::array generators = {Generator{"python", "python"},
                                              Generator{"numpy", "numpy"},
                                              Generator{"cpu", "cpu"},
                                              Generator{"cuda", "cuda"},
                                              Generator{"xla", "xla"},
                                              Generator{"npu", "npu"},
                                              Generator{"mlu", "mlu"},
                                              Generator{"musa", "musa"},
                                              Generator{"hpu", "hpu"},
                                              Generator{"random_rng_state", "python"},
                                              Generator{"np_rng_state", "numpy"},
                                              Generator{"torch_rng_state", "cpu"},
                                              Generator{"cuda_rng_state", "cuda"},
                                              Generator{"rng_tracker_states", "cuda"},
                                              Generator{"torch", "cpu"},
                                              Generator{"torch.cuda", "cuda"}};
    const auto* const found = std::ranges::find(generators, key, &Generator::key);
    return found == generators.end() ? nullptr : found->name;
}

bool isMoment(std::string_view name) {
    static constexpr std::array<std::string_view, 17> moments = {"step",
                                                                 "exp_avg",
                                                                 "exp_avg_sq",
                                                                 "max_exp_avg_sq",
                                                                 "momentum_buffer",
                                                                 "square_avg",
                                                                 "grad_avg",
                                                                 "acc_delta",
                                                                 "exp_inf",
                                                                 "mu_product",
                                                                 "eta",
                                                                 "mu",
                                                                 "ax",
                                                                 "sum",
                                                                 "exp_avg_slow",
                                                                 "exp_avg_sq_row",
                                                                 "exp_avg_sq_col"};
    return std::ranges::find(moments, name.substr(name.rfind('.') + 1)) != moments.end();
}

} // namespace wb::training
