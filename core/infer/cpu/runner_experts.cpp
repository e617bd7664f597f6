// SPDX-License-Identifier: MIT
#include "core/infer/cpu/runner.h"

#include <cmath>
#include <numeric>

// Routed experts. A token and one of its experts are a pair; pairs of one expert lie side by side, so that its weights are read
// once for all of them.
namespace wb::infer::cpu {
namespace {

constexpr float smallestSum = 6.103515625e-5F; // docs/reference/docs/reference/inference.md, "MoE router"

void softmax(std::span<float> numbers) {
    const float highest = *std::ranges::max_element(numbers);
    float sum = 0;
    for (float& number : numbers) sum += number = std::exp(number - highest);
    for (float& number : numbers) number /= sum;
}

float sigmoid(float x) { return 1.0F / (1.0F + std::exp(-x)); }

float dot(const std::vector<float>& a, const float* b) {
    return static_cast<float>(std::transform_reduce(a.begin(), a.end(), b, 0.0, std::plus<>(),
                                                    [](float x, float y) { return static_cast<double>(x) * y; }));
}

} // namespace

void Runner::route(std::size_t index, unsigned worker) {
    const LayerWeights& layer = m_weights.layers[index];
    const ExpertWeights& experts = layer.experts;
    Scratch& scratch = m_scratch[worker];
    const auto normed = [&](std::size_t t) { return normalize(layer.feedForwardNorm, m_x[t], scratch.row.data()); };
    const Inputs& inputs = prepare({&experts.router}, m_work.tokens, worker, normed);
    project(experts.router, dataOrNull(experts.routerBias), inputs, allTokens(), mine(experts.router.panels(), worker),
            [&](std::size_t t) { return m_routerLogits[t]; });
    m_team->barrier();
    const jobs::Range tokens = mine(m_work.tokens, worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
        chooseExperts(index, t, scratch);
        if (!experts.sharedGate.empty()) m_sharedFactors[t] = sigmoid(dot(experts.sharedGate, normed(t)));
    }
    m_team->barrier();
    if (worker == 0) groupPairs(index);
    m_team->barrier();
}

// SoftmaxOfChosen weighs the chosen ones only, so it leaves the logits.
void Runner::gateProbabilities(std::span<float> logits) const {
    if (m_spec.experts.gating == arch::Gating::Softmax) softmax(logits);
    if (m_spec.experts.gating == arch::Gating::Sigmoid) std::ranges::transform(logits, logits.begin(), sigmoid);
}

void Runner::weighChosen(std::span<float> weights) const {
    if (m_spec.experts.gating == arch::Gating::SoftmaxOfChosen) softmax(weights);
    if (m_spec.experts.normalizesWeights) {
        const float sum = std::max(smallestSum, std::accumulate(weights.begin(), weights.end(), 0.0F));
        for (float& weight : weights) weight /= sum;
    }
    for (float& weight : weights) weight *= m_spec.experts.weightScale;
}

void Runner::chooseExperts(std::size_t index, std::size_t token, Scratch& scratch) {
    const std::vector<float>& bias = m_weights.layers[index].experts.selectionBias;
    const std::size_t used = m_spec.layers[index].expertsUsed;
    const std::span<float> probabilities(m_routerLogits[token], m_spec.experts.count);
    gateProbabilities(probabilities);
    std::vector<float>& scores = scratch.selection;
    for (std::size_t e = 0; e < scores.size(); ++e) scores[e] = probabilities[e] + (bias.empty() ? 0.0F : bias[e]);
    std::iota(scratch.order.begin(), scratch.order.end(), 0u);
    const auto isBetter = [&](std::uint32_t a, std::uint32_t b) {
        return scores[a] > scores[b] || (scores[a] == scores[b] && a < b);
    };
    const auto end = scratch.order.begin() + static_cast<std::ptrdiff_t>(used);
    std::partial_sort(scratch.order.begin(), end, scratch.order.end(), isBetter);
    std::copy(scratch.order.begin(), end, m_chosen.begin() + static_cast<std::ptrdiff_t>(token * used));
    const std::span<float> weights(m_chosenWeights.data() + token * used, used);
    for (std::size_t s = 0; s < used; ++s) weights[s] = probabilities[scratch.order[s]];
    weighChosen(weights);
}

// Each expert's pairs begin with a group of their own.
void Runner::groupPairs(std::size_t index) {
    const std::size_t used = m_spec.layers[index].expertsUsed, width = groupWidth(m_work.tokens);
    std::vector<std::size_t> counts(m_spec.experts.count), next(m_spec.experts.count);
    const std::span<const std::uint32_t> chosen(m_chosen.data(), m_work.tokens * used);
    for (const std::uint32_t expert : chosen) ++counts[expert];
    m_runs.clear();
    m_pairs = 0;
    for (std::size_t e = 0; e < counts.size(); ++e) {
        if (counts[e] == 0) continue;
        m_runs.push_back({e, m_pairs, counts[e]});
        next[e] = m_pairs;
        m_pairs += groupCount(counts[e], width) * width;
    }
    std::fill_n(m_tokenOf.begin(), m_pairs, noPairToken);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const std::size_t pair = next[chosen[i]]++;
        m_pairOf[i] = static_cast<std::uint32_t>(pair);
        m_tokenOf[pair] = static_cast<std::uint32_t>(i / used);
    }
}

// Rows of tokens, or of pairs, for the experts' matrices.
void Runner::fillExpertInputs(std::initializer_list<const PanelMatrix*> matrices, const Rows& rows, bool byToken, unsigned worker) {
    if (worker == 0) m_expertInputs.begin((*matrices.begin())->columns, m_pairs, anyFloat(matrices), anyInteger(matrices));
    m_team->barrier();
    const jobs::Range pairs = mine(m_pairs, worker);
    for (std::size_t p = pairs.begin; p < pairs.end; ++p)
        if (m_tokenOf[p] != noPairToken) m_expertInputs.set(m_kernels, p, rows[byToken ? m_tokenOf[p] : p]);
    m_team->barrier();
}

void Runner::runExperts(std::size_t index, unsigned worker) {
    const LayerWeights& layer = m_weights.layers[index];
    const ExpertWeights& w = layer.experts;
    const bool single = m_work.tokens == 1;
    const std::size_t inner = m_spec.layers[index].expertWidth, group = groupWidth(m_work.tokens);
    const auto biasOf = [](const std::vector<float>& all, std::size_t expert, std::size_t rows) {
        return all.empty() ? nullptr : all.data() + expert * rows;
    };
    const auto first = w.gate.begin();
    if (single) ownInput({&*first, &w.up[0]}, m_branch[0], worker);
    else fillExpertInputs({&*first, &w.up[0]}, m_branch, true, worker);
    const Inputs& inputs = single ? m_scratch[worker].single : m_expertInputs;
    for (const ExpertRun& run : m_runs) {
        const GateUp matrices{&w.gate[run.expert], &w.up[run.expert], biasOf(w.gateBias, run.expert, inner),
                              biasOf(w.upBias, run.expert, inner)};
        gateAndUp(matrices, inputs, {single ? 0 : run.firstPair / group, run.count}, mine(matrices.up->panels(), worker),
                  [&](std::size_t t) { return m_expertHidden[run.firstPair + t]; });
    }
    m_team->barrier();
    if (!single) fillExpertInputs({&w.down[0]}, m_expertHidden, false, worker);
    for (const ExpertRun& run : m_runs) {
        const PanelMatrix& down = w.down[run.expert];
        if (single) ownInput({&down}, m_expertHidden[run.firstPair], worker);
        project(down, biasOf(w.downBias, run.expert, m_size.width), inputs, {single ? 0 : run.firstPair / group, run.count},
                mine(down.panels(), worker), [&](std::size_t t) { return m_expertOut[run.firstPair + t]; });
    }
    m_team->barrier();
}

void Runner::combineExperts(std::size_t index, unsigned worker) {
    const std::size_t used = m_spec.layers[index].expertsUsed;
    const jobs::Range tokens = mine(m_work.tokens, worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
        float* const sum = m_branch[t];
        std::fill_n(sum, m_size.width, 0.0F);
        for (std::size_t s = t * used; s < (t + 1) * used; ++s)
            m_kernels.addScaled(sum, m_expertOut[m_pairOf[s]], m_chosenWeights[s], m_size.width);
        m_kernels.addScaled(m_x[t], sum, m_spec.residualScale, m_size.width);
    }
    m_team->barrier();
}

void Runner::experts(std::size_t index, unsigned worker) {
    const LayerWeights& layer = m_weights.layers[index];
    const jobs::Range tokens = mine(m_work.tokens, worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
        const float* const row = normalize(layer.feedForwardNorm, m_x[t], m_branch[t]);
        if (row != m_branch[t]) std::copy_n(row, m_size.width, m_branch[t]);
    }
    m_team->barrier();
    runExperts(index, worker);
    combineExperts(index, worker);
}

} // namespace wb::infer::cpu
