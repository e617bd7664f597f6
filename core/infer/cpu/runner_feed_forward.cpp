// SPDX-License-Identifier: MIT
#include "core/infer/cpu/runner.h"

#include <cmath>

// The feed-forward half of a layer without routed experts, and what Gemma 4 adds behind it.
namespace wb::infer::cpu {

void Runner::normGateUp(std::size_t index, unsigned worker) {
    const LayerWeights& layer = m_weights.layers[index];
    std::vector<float>& row = m_scratch[worker].row;
    const Inputs& inputs = prepare({&layer.up, &layer.gate}, m_work.tokens, worker,
                                   [&](std::size_t t) { return normalize(layer.feedForwardNorm, m_x[t], row.data()); });
    const GateUp matrices{layer.gate.rows > 0 ? &layer.gate : nullptr, &layer.up, dataOrNull(layer.gateBias),
                          dataOrNull(layer.upBias)};
    gateAndUp(matrices, inputs, allTokens(), mine(layer.up.panels(), worker), [&](std::size_t t) { return m_hidden[t]; });
    m_team->barrier();
}

void Runner::downResidual(std::size_t index, unsigned worker) {
    const LayerWeights& layer = m_weights.layers[index];
    const Inputs& inputs = prepare({&layer.down}, m_work.tokens, worker, [&](std::size_t t) { return m_hidden[t]; });
    const float* const factors = layer.experts.sharedGate.empty() ? nullptr : m_sharedFactors.data();
    addProjection(layer.down, layer.downBias, layer.feedForwardPostNorm, factors, inputs, worker);
    m_team->barrier();
}

// For each layer the norm of what the embedding projects, and the token's own row (docs/reference/docs/reference/inference.md,
// "Gemma 4 per-layer embeddings").
void Runner::layerInputs(unsigned worker) {
    const Inputs& inputs = prepare({&m_weights.layerInputs}, m_work.tokens, worker, [&](std::size_t t) { return m_x[t]; });
    project(m_weights.layerInputs, nullptr, inputs, allTokens(), mine(m_weights.layerInputs.panels(), worker),
            [&](std::size_t t) { return m_layerInputs[t]; });
    m_team->barrier();
    const std::size_t each = m_spec.perLayerInput, all = m_layerInputs.stride;
    const float fromWidth = 1.0F / std::sqrt(static_cast<float>(m_size.width)), own = std::sqrt(static_cast<float>(each));
    const jobs::Range tokens = mine(m_work.tokens, worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
        float* const row = m_layerInputs[t];
        for (std::size_t i = 0; i < all; ++i) row[i] *= fromWidth;
        for (std::size_t at = 0; at < all; at += each) normalize(m_weights.layerInputNorm, row + at, row + at);
        m_kernels.addScaled(row, m_layerEmbeddings[t], own, all);
        for (std::size_t i = 0; i < all; ++i) row[i] *= 0.70710678118654752440F;
    }
    m_team->barrier();
}

void Runner::addLayerInput(std::size_t index, unsigned worker) {
    const LayerWeights& layer = m_weights.layers[index];
    if (layer.inputGate.rows > 0) {
        const Inputs& inputs = prepare({&layer.inputGate}, m_work.tokens, worker, [&](std::size_t t) { return m_x[t]; });
        const Activate activate = m_kernels.activate[static_cast<std::size_t>(m_spec.activation)];
        multiply(
            layer.inputGate, inputs, allTokens(), mine(layer.inputGate.panels(), worker),
            [&](std::size_t row, std::size_t rows, std::size_t token, std::size_t tokens, const float* tile, std::size_t stride) {
                for (std::size_t t = 0; t < tokens; ++t) {
                    float* const to = m_hidden[token + t] + row;
                    std::copy_n(tile + t * stride, rows, to);
                    activate(to, m_layerInputs[token + t] + index * m_spec.perLayerInput + row, rows);
                }
            });
        m_team->barrier();
        const Inputs& inner = prepare({&layer.inputProjection}, m_work.tokens, worker, [&](std::size_t t) { return m_hidden[t]; });
        addProjection(layer.inputProjection, {}, layer.inputNorm, nullptr, inner, worker);
        m_team->barrier();
    }
    const jobs::Range tokens = mine(m_work.tokens, worker);
    if (layer.outputScale != 1)
        for (std::size_t t = tokens.begin; t < tokens.end; ++t)
            for (std::size_t i = 0; i < m_size.width; ++i) m_x[t][i] *= layer.outputScale;
    m_team->barrier();
}

} // namespace wb::infer::cpu
