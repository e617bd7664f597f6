// SPDX-License-Identifier: MIT
#include "core/infer/cpu/routing.h"

#include "core/infer/cpu/kernels/activations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace wb::infer::cpu {
namespace {

constexpr float smallestSum = 6.103515625e-5F; // as ggml-org/llama.cpp: src/llama-graph.cpp, build_moe_ffn

void softmaxInPlace(std::span<float> numbers) {
    const float highest = *std::ranges::max_element(numbers);
    float sum = 0;
    for (float& number : numbers) sum += number = std::exp(number - highest);
    for (float& number : numbers) number /= sum;
}

float sigmoid(float x) { return 1.0F / (1.0F + std::exp(-x)); }

// SoftmaxOfChosen keeps the logits: only the chosen ones are weighed.
void gateProbabilities(arch::Gating gating, std::span<float> logits) {
    if (gating == arch::Gating::Softmax) softmaxInPlace(logits);
    if (gating == arch::Gating::Sigmoid) std::ranges::transform(logits, logits.begin(), sigmoid);
}

// Only experts of the groups whose two best ones have the largest sums can be chosen (arXiv 2412.19437).
void keepBestGroups(const RouteOp& op, std::span<float> scores) {
    if (op.groupsUsed >= op.groups) return;
    const std::size_t each = scores.size() / op.groups;
    std::array<std::pair<float, std::uint32_t>, arch::maxExperts> sums; // negated, so that the best comes first
    for (std::uint32_t group = 0; group < op.groups; ++group) {
        float best = -std::numeric_limits<float>::infinity(), second = best;
        for (const float score : scores.subspan(group * each, each)) {
            second = std::max(second, std::min(best, score));
            best = std::max(best, score);
        }
        sums[group] = {-(each > 1 ? best + second : best), group};
    }
    const std::span all(sums.data(), op.groups);
    std::ranges::sort(all);
    for (const auto& [sum, group] : all.subspan(op.groupsUsed))
        std::ranges::fill(scores.subspan(group * each, each), -std::numeric_limits<float>::infinity());
}

void weighChosen(const RouteOp& op, std::span<float> weights) {
    if (op.gating == arch::Gating::SoftmaxOfChosen) softmaxInPlace(weights);
    if (op.normalizes) {
        const float sum = std::max(smallestSum, std::accumulate(weights.begin(), weights.end(), 0.0F));
        for (float& weight : weights) weight /= sum;
    }
    for (float& weight : weights) weight *= op.scale;
}

} // namespace

void chooseExperts(const RouteOp& op, const float* selectionBias, std::span<float> logits, std::span<float> scores,
                   std::span<std::uint32_t> order, std::span<std::uint32_t> chosen, std::span<float> weights) {
    for (float& logit : logits) logit *= op.logitScale;
    gateProbabilities(op.gating, logits);
    for (std::size_t e = 0; e < scores.size(); ++e) scores[e] = logits[e] + (selectionBias ? selectionBias[e] : 0.0F);
    keepBestGroups(op, scores);
    std::iota(order.begin(), order.end(), 0u);
    const auto isBetter = [&](std::uint32_t a, std::uint32_t b) {
        return scores[a] > scores[b] || (scores[a] == scores[b] && a < b);
    };
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(chosen.size()), order.end(), isBetter);
    for (std::size_t s = 0; s < chosen.size(); ++s) {
        chosen[s] = order[s];
        weights[s] = logits[order[s]];
    }
    weighChosen(op, weights);
}

float sharedExpertGate(std::span<const float> weights, const float* x) {
    const double sum = std::transform_reduce(weights.begin(), weights.end(), x, 0.0, std::plus<>(),
                                             [](float a, float b) { return static_cast<double>(a) * b; });
    return sigmoid(static_cast<float>(sum));
}

void Routing::plan(CpuMemory& memory, std::size_t tokens, std::size_t maxUsed, std::size_t maxPairs) {
    chosen.plan(memory, "chosen experts", tokens * maxUsed);
    weights.plan(memory, "weights of the chosen experts", tokens * maxUsed);
    pairOf.plan(memory, "pairs of tokens", tokens * maxUsed);
    tokenOf.plan(memory, "tokens of pairs", maxPairs);
    weightOf.plan(memory, "weights of pairs", maxPairs);
    sharedGates.plan(memory, "gates of the shared expert", tokens);
}

void Routing::group(std::size_t tokens, std::size_t used, std::size_t experts) {
    const std::size_t width = groupWidth(tokens);
    std::vector<std::size_t> counts(experts), next(experts);
    const std::span<const std::uint32_t> all = chosen.all().first(tokens * used);
    for (const std::uint32_t expert : all) ++counts[expert];
    runs.clear();
    pairs = 0;
    for (std::size_t e = 0; e < experts; ++e) {
        if (counts[e] == 0) continue;
        runs.push_back({e, pairs, counts[e]});
        next[e] = pairs;
        pairs += groupCount(counts[e], width) * width;
    }
    std::fill_n(tokenOf.data(), pairs, noToken);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t pair = next[all[i]]++;
        pairOf[i] = static_cast<std::uint32_t>(pair);
        tokenOf[pair] = static_cast<std::uint32_t>(i / used);
        weightOf[pair] = weights[i];
    }
}

} // namespace wb::infer::cpu
