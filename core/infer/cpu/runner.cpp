// SPDX-License-Identifier: MIT
#include "core/infer/cpu/runner.h"

#include <cmath>

// What all stages share, the beginning and the end of an evaluation, and the order of its stages.
namespace wb::infer::cpu {

bool anyInteger(std::initializer_list<const PanelMatrix*> matrices) {
    return std::ranges::any_of(matrices, [](const PanelMatrix* m) { return m && m->format && m->format->integer; });
}

bool anyFloat(std::initializer_list<const PanelMatrix*> matrices) {
    return std::ranges::any_of(matrices, [](const PanelMatrix* m) { return m && m->format && !m->format->integer; });
}

const float* Runner::normalize(const Norm& norm, const float* x, float* out) const {
    if (norm.weight.empty()) return x;
    if (m_spec.norm == arch::NormKind::Rms) m_kernels.rmsNorm(x, norm.weight.data(), m_spec.normEpsilon, norm.weight.size(), out);
    else m_kernels.layerNorm(x, norm.weight.data(), dataOrNull(norm.bias), m_spec.normEpsilon, norm.weight.size(), out);
    return out;
}

// One token for the worker itself: no barrier, and every worker does the same.
const Inputs& Runner::ownInput(std::initializer_list<const PanelMatrix*> matrices, const float* row, unsigned worker) {
    Inputs& own = m_scratch[worker].single;
    own.begin((*matrices.begin())->columns, 1, anyFloat(matrices), anyInteger(matrices));
    own.set(m_kernels, 0, row);
    return own;
}

void Runner::computeTile(const PanelMatrix& matrix, const Inputs& inputs, std::size_t panel, std::size_t panels, std::size_t group,
                         std::size_t groups, float* out) const {
    const auto type = static_cast<std::size_t>(matrix.format->type);
    const std::byte* const activations = matrix.format->integer ? inputs.integerGroup(group) : inputs.floatGroup(group);
    const std::size_t groupBytes = matrix.format->integer ? integerGroupBytes(inputs.columns, inputs.width) : 0;
    const Product product{matrix.panel(panel), matrix.panelBytes(), matrix.blocks(), activations, out,
                          panels * panelRows,  groupBytes};
    if (groups == 2 && m_kernels.multiplyTwoGroups[type]) return m_kernels.multiplyTwoGroups[type](product);
    if (groups == 2) computeTile(matrix, inputs, panel, panels, group + 1, 1, out + inputs.width * product.stride);
    if (inputs.width > 1) m_kernels.multiplyGroup[type](product);
    else (panels == widePanels ? m_kernels.multiplyWide : m_kernels.multiply)[type](product);
}

void Runner::addProjection(const PanelMatrix& matrix, const std::vector<float>& bias, const Norm& norm, const float* factors,
                           const Inputs& inputs, unsigned worker) {
    const auto factorOf = [&](std::size_t token) { return m_spec.residualScale * (factors ? factors[token] : 1.0F); };
    const jobs::Range panels = mine(matrix.panels(), worker);
    if (norm.weight.empty())
        return multiply(
            matrix, inputs, allTokens(), panels,
            [&](std::size_t row, std::size_t rows, std::size_t token, std::size_t tokens, const float* tile, std::size_t stride) {
                for (std::size_t t = 0; t < tokens; ++t) {
                    float* const x = m_x[token + t] + row;
                    m_kernels.addScaled(x, tile + t * stride, factorOf(token + t), rows);
                    if (!bias.empty()) m_kernels.addScaled(x, bias.data() + row, factorOf(token + t), rows);
                }
            });
    // A norm needs the whole row.
    project(matrix, dataOrNull(bias), inputs, allTokens(), panels, [&](std::size_t t) { return m_branch[t]; });
    m_team->barrier();
    const jobs::Range tokens = mine(m_work.tokens, worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t)
        m_kernels.addScaled(m_x[t], normalize(norm, m_branch[t], m_scratch[worker].row.data()), factorOf(t), m_size.width);
}

void Runner::head(unsigned worker) {
    const std::size_t outputs = m_work.outputs, firstOutput = m_work.tokens - outputs;
    if (outputs == 0) return;
    std::vector<float>& row = m_scratch[worker].row;
    const Inputs& inputs = prepare({&m_weights.output}, outputs, worker, [&](std::size_t t) {
        return normalize(m_weights.outputNorm, m_x[firstOutput + t], row.data());
    });
    float* const logits = m_work.batch->logits.data();
    const float* const bias = dataOrNull(m_weights.outputBias);
    multiply(m_weights.output, inputs, {0, outputs}, mine(m_weights.output.panels(), worker),
             [&](std::size_t at, std::size_t rows, std::size_t token, std::size_t tokens, const float* tile, std::size_t stride) {
                 for (std::size_t t = 0; t < tokens; ++t) {
                     float* const to = logits + (token + t) * m_size.vocabulary + at;
                     std::copy_n(tile + t * stride, rows, to);
                     if (bias) m_kernels.addScaled(to, bias + at, 1, rows);
                     for (std::size_t i = 0; i < rows; ++i) to[i] *= m_spec.logitScale;
                     if (m_spec.finalSoftcap > 0) m_kernels.softcap(to, rows, m_spec.finalSoftcap);
                 }
             });
    m_team->barrier();
}

// `layer` counts from 0, the embeddings. The last one is shown behind the final norm.
void Runner::copyHidden(std::size_t layer, unsigned worker) {
    if (m_work.batch->hidden.empty()) return;
    const jobs::Range range = mine(m_work.tokens, worker);
    for (std::size_t t = range.begin; t < range.end; ++t) {
        float* const to = m_work.batch->hidden.data() + (layer * m_work.tokens + t) * m_size.width;
        const float* const from = layer < m_size.layers ? m_x[t] : normalize(m_weights.outputNorm, m_x[t], to);
        if (from != to) std::copy_n(from, m_size.width, to);
    }
}

void Runner::computeStage(const Stage& stage, unsigned worker) {
    switch (stage.kind) {
    case StageKind::LayerInputs: return layerInputs(worker);
    case StageKind::NormQkv: return normQkv(stage.layer, worker);
    case StageKind::RopeAttention: return ropeAttention(stage.layer, worker);
    case StageKind::OutResidual: return outResidual(stage.layer, worker);
    case StageKind::NormGateUp: return normGateUp(stage.layer, worker);
    case StageKind::Route: return route(stage.layer, worker);
    case StageKind::Experts: return experts(stage.layer, worker);
    case StageKind::DownResidual: return downResidual(stage.layer, worker);
    case StageKind::AddLayerInput: return addLayerInput(stage.layer, worker);
    case StageKind::Head: return head(worker);
    }
}

void Runner::compute(unsigned worker) {
    const jobs::Range range = mine(m_work.tokens, worker);
    for (std::size_t r = 0; r < m_ropeTables.size(); ++r)
        for (std::size_t t = range.begin; t < range.end; ++t)
            ropeAngles(m_ropeTables[r], m_work.batch->position + t, {m_cosines[r][t], m_cosines[r].stride},
                       {m_sines[r][t], m_sines[r].stride});
    copyHidden(0, worker);
    for (std::size_t i = 0; i < m_stages.size(); ++i) {
        const Stage& stage = m_stages[i];
        if (stage.kind == StageKind::NormQkv) {
            if (worker == 0) m_work.stopped = m_work.stop->stop_requested();
            m_team->barrier();
            if (m_work.stopped) return;
        }
        computeStage(stage, worker);
        const bool isOfLayer = stage.kind != StageKind::LayerInputs && stage.kind != StageKind::Head;
        const bool endsLayer = isOfLayer && (i + 1 == m_stages.size() || m_stages[i + 1].kind == StageKind::NormQkv ||
                                             m_stages[i + 1].kind == StageKind::Head);
        if (endsLayer) copyHidden(stage.layer + 1, worker);
    }
}

Result<void> Runner::readEmbeddings(std::span<const Token> tokens, std::size_t position) {
    const std::size_t width = m_size.width, inputs = m_layerEmbeddings.stride;
    std::vector<float> learned(m_positions ? width : 0);
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        const std::span<float> row(m_x[t], width);
        const auto token = static_cast<std::uint64_t>(tokens[t]);
        WB_TRY(m_embedding->readF32(token * width, row, m_embeddingBytes));
        if (m_spec.embeddingScale != 1)
            for (float& value : row) value *= m_spec.embeddingScale;
        if (m_positions) {
            WB_TRY(m_positions->readF32((position + t) * width, learned, m_embeddingBytes));
            m_kernels.addScaled(row.data(), learned.data(), 1, width);
        }
        if (m_layerEmbedding) WB_TRY(m_layerEmbedding->readF32(token * inputs, {m_layerEmbeddings[t], inputs}, m_embeddingBytes));
    }
    return {};
}

Result<void> Runner::evaluate(const Batch& batch, const std::stop_token& stop) {
    WB_TRY(readEmbeddings(batch.tokens, batch.position));
    m_cache.setStored(batch.position, batch.position + batch.tokens.size()); // a batch that is stopped has stored some of it
    m_work = {&batch, batch.tokens.size(), batch.logits.size() / m_size.vocabulary, &stop, false};
    m_team->run([this](unsigned worker) { compute(worker); });
    if (m_work.stopped) return std::unexpected(cancelled());
    return {};
}

} // namespace wb::infer::cpu
