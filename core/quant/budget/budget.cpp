// SPDX-License-Identifier: MIT
#include "core/quant/budget/budget.h"

#include "core/quant/quantize.h"
#include "core/quant/mix/tensor_category.h"
#include "core/quant/whatif/what_if.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <tuple>

namespace wb::quant {
namespace {

using enum Dtype;
constexpr std::array typesWithMatrix = {IQ1_S, IQ1_M,  IQ2_XXS, IQ2_XS, IQ2_S, Q2_K, IQ3_XXS, IQ3_S,
                                        Q3_K,  IQ4_XS, Q4_K,    Q5_K,   Q6_K,  Q8_0, F16};
constexpr std::array typesWithout = {Q2_K, IQ3_S, Q3_K, IQ4_XS, Q4_K, Q5_K, Q6_K, Q8_0, F16};
constexpr std::uint64_t alignment = 32;

// Indices of the entries on the lower convex hull of (bytes, error), by rising bytes and falling error.
std::vector<std::size_t> costsHull(const std::vector<TypeCost>& costs) {
    std::vector<std::size_t> order(costs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(costs[i].bytes, costs[i].error); });
    // Error saved a byte from a to b.
    const auto slope = [&](std::size_t a, std::size_t b) {
        return (costs[a].error - costs[b].error) / static_cast<double>(costs[b].bytes - costs[a].bytes);
    };
    std::vector<std::size_t> hull;
    for (const std::size_t i : order) {
        if (!hull.empty() && (costs[i].error >= costs[hull.back()].error || costs[i].bytes == costs[hull.back()].bytes)) continue;
        while (hull.size() > 1 && slope(hull[hull.size() - 2], hull.back()) <= slope(hull.back(), i)) hull.pop_back();
        hull.push_back(i);
    }
    return hull;
}

// The next step of a tensor along its hull.
struct HullStep {
    double gain = 0; // error saved a byte
    std::size_t tensor = 0;
    std::size_t place = 0; // on the hull, after the step
    bool operator<(const HullStep& other) const { return gain != other.gain ? gain < other.gain : tensor > other.tensor; }
};

// One more pass over single steps that leave the hull: uses up what the last step of the hull was too large for.
void fillGap(std::span<const std::vector<TypeCost>> tensors, std::uint64_t left, std::vector<std::size_t>& choice) {
    for (;;) {
        double bestGain = 0;
        std::size_t bestTensor = 0;
        std::size_t bestIndex = 0;
        for (std::size_t t = 0; t < tensors.size(); ++t) {
            const TypeCost& now = tensors[t][choice[t]];
            for (std::size_t i = 0; i < tensors[t].size(); ++i) {
                const TypeCost& other = tensors[t][i];
                if (other.bytes > now.bytes + left || now.error - other.error <= bestGain) continue;
                bestGain = now.error - other.error;
                bestTensor = t;
                bestIndex = i;
            }
        }
        if (bestGain <= 0) return;
        left = left + tensors[bestTensor][choice[bestTensor]].bytes - tensors[bestTensor][bestIndex].bytes;
        choice[bestTensor] = bestIndex;
    }
}

// A text as a regular expression that fits nothing else, whatever it holds: readers of options lower-case a pattern and may end it
// at its first '=', and a terminal obeys what is no visible character.
std::string literal(std::string_view text) {
    std::string pattern;
    for (const char c : text) {
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        if (isPlain) pattern += c;
        else if (c == '.') pattern += "\\.";
        else pattern += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    return pattern;
}

// The part of a tensor's name shared with other layers. Outside layers `ending` is everything.
struct TensorKind {
    bool inLayer = false;
    std::string ending; // after the number of the layer
    Dtype type = Dtype::Unknown;
    bool operator<(const TensorKind& other) const {
        return std::tie(inLayer, ending, type) < std::tie(other.inLayer, other.ending, other.type);
    }
};

std::string patternFor(const TensorKind& kind, const std::vector<std::string>& layers) {
    if (!kind.inLayer) return "^" + literal(kind.ending) + "$";
    std::string numbers;
    for (const std::string& layer : layers) numbers += (numbers.empty() ? "" : "|") + literal(layer);
    return "^blk\\." + (layers.size() == 1 ? numbers : "(" + numbers + ")") + literal(kind.ending) + "$";
}

// Infinite where the type cannot hold the values; other failures name the tensor.
Result<double> foundError(const Result<WhatIf>& found, const Model& model, const TensorInfo& tensor) {
    if (found) {
        const auto elements = static_cast<double>(tensor.shape.elements());
        return found->weightedError * (found->elements == 0 ? 1 : elements / static_cast<double>(found->elements));
    }
    if (found.error().reason == beyondRange) return std::numeric_limits<double>::infinity();
    if (found.error().reason != rowNotFinite) return std::unexpected(found.error());
    return fail(ErrorCode::Malformed, Reason("budget.not_finite"), About{model.files[0].name},
                WB_TEXT("{} cannot be quantized: {} contains a NaN or infinite value; repair the model first."),
                model.files[0].name, tensor.name);
}

Result<void> checkPossible(std::span<const TypeCost> costs, const Model& model, const TensorInfo& tensor) {
    if (std::ranges::any_of(costs, &TypeCost::isPossible)) return {};
    return fail(ErrorCode::TooLarge, Reason("budget.beyond_range"), About{model.files[0].name},
                WB_TEXT("{} cannot be quantized: {} has values outside the range of {}; choose BF16 or F32 for it."),
                model.files[0].name, tensor.name, name(costs.front().type));
}

} // namespace

std::vector<std::size_t> solveBudget(std::span<const std::vector<TypeCost>> tensors, std::uint64_t budget) {
    std::vector<std::vector<std::size_t>> hulls;
    std::vector<std::size_t> choice;
    std::uint64_t used = 0;
    for (const auto& costs : tensors) {
        hulls.push_back(costsHull(costs));
        choice.push_back(hulls.back().front());
        used += costs[choice.back()].bytes;
    }
    if (used > budget) return {};
    const auto stepOf = [&](std::size_t tensor, std::size_t place) {
        const TypeCost& from = tensors[tensor][hulls[tensor][place - 1]];
        const TypeCost& to = tensors[tensor][hulls[tensor][place]];
        return HullStep{(from.error - to.error) / static_cast<double>(to.bytes - from.bytes), tensor, place};
    };
    std::priority_queue<HullStep> steps;
    for (std::size_t t = 0; t < tensors.size(); ++t)
        if (hulls[t].size() > 1) steps.push(stepOf(t, 1));
    while (!steps.empty()) {
        const HullStep step = steps.top();
        steps.pop();
        const std::size_t next = hulls[step.tensor][step.place];
        const std::uint64_t after = used - tensors[step.tensor][choice[step.tensor]].bytes + tensors[step.tensor][next].bytes;
        if (after > budget) continue;
        used = after;
        choice[step.tensor] = next;
        if (step.place + 1 < hulls[step.tensor].size()) steps.push(stepOf(step.tensor, step.place + 1));
    }
    fillGap(tensors, budget - used, choice);
    return choice;
}

std::span<const Dtype> budgetTypes(bool hasMatrix) {
    if (hasMatrix) return typesWithMatrix;
    return typesWithout;
}

void dropLowTypes(const TensorInfo& tensor, std::vector<TypeCost>& costs) {
    const Category category = tensorCategory(tensor.name);
    const double lowestBits = category == Category::Output ? 4.5 : category == Category::TokenEmbedding ? 3.4 : 0;
    const double lowest = lowestBits * static_cast<double>(tensor.shape.elements()) / 8;
    const auto isLow = [&](const TypeCost& cost) { return static_cast<double>(cost.bytes) < lowest; };
    if (!std::ranges::all_of(costs, isLow)) std::erase_if(costs, isLow);
}

std::vector<Dtype> tensorBudgetTypes(const TensorInfo& tensor, bool hasWeights, Dtype also) {
    const std::uint64_t length = tensor.shape.rowLength();
    std::vector<Dtype> types = {also};
    if (also != tensor.dtype && canQuantize(tensor.dtype)) types.push_back(tensor.dtype);
    for (const Dtype wanted : budgetTypes(hasWeights)) {
        const Dtype type = length % wb::info(wanted).blockElements == 0 ? wanted : fallbackFor(wanted, length).value_or(also);
        if (std::ranges::find(types, type) == types.end()) types.push_back(type);
    }
    std::erase_if(types, [&](Dtype type) { return type != tensor.dtype && weightUse(type) == WeightUse::Required && !hasWeights; });
    return types;
}

std::uint64_t paddedBytes(const TensorInfo& tensor, Dtype type) {
    return (rowBytes(type, tensor.shape.elements()).value_or(0) + alignment - 1) / alignment * alignment;
}

Result<std::vector<TypeCost>> measureTypes(const Model& model, const TensorInfo& tensor, const ColumnWeights& columns,
                                           std::span<const Dtype> types, const BudgetOptions& options, const Progress& progress) {
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(model, tensor));
    WB_TRY_ASSIGN(const std::vector<float> weights, columns.readAll());
    WhatIfOptions whatIf;
    whatIf.maxElements = options.sampledElements;
    whatIf.threads = options.threads;
    whatIf.worstBlocks = 0;
    whatIf.backend = options.backend;
    const auto elements = static_cast<double>(tensor.shape.elements());
    std::vector<TypeCost> costs;
    for (std::size_t t = 0; t < types.size(); ++t) {
        const Progress share{progress.stop, [&](std::uint64_t done, std::uint64_t total) {
                                 const double part =
                                     static_cast<double>(done) / static_cast<double>(std::max<std::uint64_t>(1, total));
                                 const double all = elements * (static_cast<double>(t) + part) / static_cast<double>(types.size());
                                 if (progress.report) progress.report(static_cast<std::uint64_t>(all), tensor.shape.elements());
                             }};
        costs.push_back({types[t], paddedBytes(tensor, types[t]), 0});
        if (types[t] == tensor.dtype) continue; // a copy
        WB_TRY_ASSIGN(costs.back().error, foundError(measure(reader, types[t], weights, whatIf, share), model, tensor));
    }
    WB_TRY(checkPossible(costs, model, tensor));
    return costs;
}

std::vector<TensorTypeRule> rulesFor(const std::vector<std::pair<std::string, Dtype>>& types) {
    // The groups in order of first appearance; a name outside layers is its own kind.
    std::vector<TensorKind> kinds;
    std::map<TensorKind, std::vector<std::string>> layersOf;
    for (const auto& [name, type] : types) {
        const bool inLayer = name.starts_with("blk.") && name.find('.', 4) != std::string::npos;
        const std::size_t end = inLayer ? name.find('.', 4) : 0;
        const TensorKind kind{inLayer, name.substr(end), type};
        auto [place, isNew] = layersOf.try_emplace(kind);
        if (isNew) kinds.push_back(kind);
        if (inLayer) place->second.push_back(name.substr(4, end - 4));
    }
    std::vector<TensorTypeRule> rules;
    for (const TensorKind& kind : kinds) rules.push_back({patternFor(kind, layersOf[kind]), kind.type});
    return rules;
}

} // namespace wb::quant
