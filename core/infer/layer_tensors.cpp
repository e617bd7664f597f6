// SPDX-License-Identifier: MIT
#include "core/infer/tensor_finder.h"

#include "core/arch/family.h"

#include <fmt/format.h>

namespace wb::infer {
namespace {

// Finds the tensors of one layer under the names of docs/reference/docs/reference/inference.md, "Keys" (ggml-org/llama.cpp:
// src/llama-arch.cpp).
class LayerFinder {
public:
    LayerFinder(const TensorFinder& tensors, const arch::ModelSpec& spec, std::size_t index)
        : m_tensors(tensors), m_spec(spec), m_layer(spec.layers[index]), m_ownsCache(m_layer.ownsCache(index)),
          m_prefix(fmt::format("blk.{}.", index)) {}

    Result<LayerTensors> find() {
        WB_TRY(findNorms());
        WB_TRY(findProjections());
        WB_TRY(findAttention());
        WB_TRY(findFeedForward());
        WB_TRY(findExperts());
        WB_TRY(findLayerInput());
        return m_found;
    }

private:
    std::string name(const char* rest) const { return m_prefix + rest; }

    Result<void> findNorms() {
        const std::uint64_t width = m_spec.width;
        const bool before = m_spec.normPlacement != arch::NormPlacement::After;
        const bool after = m_spec.normPlacement != arch::NormPlacement::Before;
        if (before) {
            WB_TRY_ASSIGN(m_found.attentionNorm, m_tensors.needNorm(name("attn_norm"), width));
        }
        if (after) {
            WB_TRY_ASSIGN(m_found.attentionPostNorm, m_tensors.needNorm(name("post_attention_norm"), width));
            WB_TRY_ASSIGN(m_found.feedForwardPostNorm, m_tensors.needNorm(name("post_ffw_norm"), width));
        }
        return before ? findFeedForwardNorm(!after) : Result<void>{};
    }

    // Some families call it by its place behind the attention; those in which both halves read one norm need none of its own.
    Result<void> findFeedForwardNorm(bool mayBeNamedByPlace) {
        const bool byPlace = mayBeNamedByPlace && !m_tensors.has(name("ffn_norm.weight"));
        const std::string own = name(byPlace ? "post_attention_norm" : "ffn_norm");
        if (m_spec.parallelResidual && !m_tensors.has(own + ".weight")) {
            m_found.feedForwardNorm = m_found.attentionNorm;
            return {};
        }
        // The usual name stands in the sentence where there is neither.
        const bool isThere = m_tensors.has(own + ".weight");
        WB_TRY_ASSIGN(m_found.feedForwardNorm, m_tensors.needNorm(isThere ? own : name("ffn_norm"), m_spec.width));
        return {};
    }

    Result<void> findProjections() {
        const std::uint64_t q = m_layer.heads * m_layer.keyLength, k = m_layer.kvHeads * m_layer.keyLength,
                            v = m_layer.kvHeads * m_layer.valueLength;
        if (m_tensors.has(name("attn_qkv.weight"))) return findFused(q, k, v);
        const std::uint64_t width = m_spec.width;
        WB_TRY_ASSIGN(m_found.q, m_tensors.needSlice(name("attn_q.weight"), {q, width}));
        WB_TRY_ASSIGN(m_found.qBias, m_tensors.findSlice(name("attn_q.bias"), {q}));
        if (!m_ownsCache) return {};
        WB_TRY_ASSIGN(m_found.k, m_tensors.needSlice(name("attn_k.weight"), {k, width}));
        WB_TRY_ASSIGN(m_found.kBias, m_tensors.findSlice(name("attn_k.bias"), {k}));
        WB_TRY_ASSIGN(m_found.vBias, m_tensors.findSlice(name("attn_v.bias"), {v}));
        // Gemma 4's large models take what they project for keys as values too.
        const bool keysAreValues = m_spec.family && m_spec.family->valueNorm && k == v && !m_tensors.has(name("attn_v.weight"));
        if (keysAreValues) {
            m_found.v = m_found.k;
            return {};
        }
        WB_TRY_ASSIGN(m_found.v, m_tensors.needSlice(name("attn_v.weight"), {v, width}));
        return {};
    }

    Result<void> findFused(std::uint64_t q, std::uint64_t k, std::uint64_t v) {
        WB_TRY_ASSIGN(const TensorInfo* const all, m_tensors.need(name("attn_qkv.weight"), {q + k + v, m_spec.width}));
        WB_TRY_ASSIGN(const TensorInfo* const bias, m_tensors.find(name("attn_qkv.bias"), {q + k + v}));
        m_found.q = {all, 0, q};
        m_found.k = {all, q, k};
        m_found.v = {all, q + k, v};
        if (!bias) return {};
        m_found.qBias = {bias, 0, q};
        m_found.kBias = {bias, q, k};
        m_found.vBias = {bias, q + k, v};
        return {};
    }

    Result<void> findAttention() {
        const std::uint64_t width = m_spec.width;
        WB_TRY_ASSIGN(m_found.out, m_tensors.need(name("attn_output.weight"), {width, m_layer.heads * m_layer.valueLength}));
        WB_TRY_ASSIGN(m_found.outBias, m_tensors.find(name("attn_output.bias"), {width}));
        const bool whole = m_spec.family && m_spec.family->queryKeyNorm == arch::QueryKeyNorm::Whole;
        const std::uint64_t q = whole ? m_layer.heads * m_layer.keyLength : m_layer.keyLength;
        const std::uint64_t k = whole ? m_layer.kvHeads * m_layer.keyLength : m_layer.keyLength;
        WB_TRY_ASSIGN(m_found.qNorm, m_tensors.find(name("attn_q_norm.weight"), {q}));
        WB_TRY_ASSIGN(m_found.kNorm, m_tensors.find(name("attn_k_norm.weight"), {k}));
        WB_TRY_ASSIGN(m_found.sinks, m_tensors.find(name("attn_sinks.weight"), {m_layer.heads}));
        return {};
    }

    Result<void> findFeedForward() {
        if (m_layer.feedForward > 0) return findMlp("", m_layer.feedForward);
        return m_layer.sharedExpertWidth > 0 ? findMlp("_shexp", m_layer.sharedExpertWidth) : Result<void>{};
    }

    Result<void> findMlp(const std::string& suffix, std::uint64_t inner) {
        const std::uint64_t width = m_spec.width;
        const std::string gate = name("ffn_gate") + suffix, up = name("ffn_up") + suffix, down = name("ffn_down") + suffix;
        const bool fused = m_spec.gatedFeedForward && !m_tensors.has(gate + ".weight") && m_tensors.has(up + ".weight");
        const std::uint64_t upRows = fused ? 2 * inner : inner;
        WB_TRY_ASSIGN(m_found.up, m_tensors.needSlice(up + ".weight", {upRows, width}));
        WB_TRY_ASSIGN(m_found.upBias, m_tensors.findSlice(up + ".bias", {upRows}));
        if (fused) {
            m_found.gate = {m_found.up.tensor, 0, inner};
            m_found.up.first = m_found.up.count = inner;
            if (m_found.upBias) {
                m_found.gateBias = {m_found.upBias.tensor, 0, inner};
                m_found.upBias.first = m_found.upBias.count = inner;
            }
        } else if (m_spec.gatedFeedForward) {
            WB_TRY_ASSIGN(m_found.gate, m_tensors.needSlice(gate + ".weight", {inner, width}));
            WB_TRY_ASSIGN(m_found.gateBias, m_tensors.findSlice(gate + ".bias", {inner}));
        }
        WB_TRY_ASSIGN(m_found.down, m_tensors.need(down + ".weight", {width, inner}));
        WB_TRY_ASSIGN(m_found.downBias, m_tensors.find(down + ".bias", {width}));
        return {};
    }

    Result<void> findExperts() {
        if (m_layer.expertsUsed == 0) return {};
        const std::uint64_t width = m_spec.width, count = m_spec.experts.count, inner = m_layer.expertWidth;
        ExpertTensors& e = m_found.experts;
        WB_TRY_ASSIGN(e.router, m_tensors.need(name("ffn_gate_inp.weight"), {count, width}));
        WB_TRY_ASSIGN(e.routerBias, m_tensors.find(name("ffn_gate_inp.bias"), {count}));
        WB_TRY_ASSIGN(e.selectionBias, m_tensors.find(name("exp_probs_b.bias"), {count}));
        if (m_tensors.has(name("ffn_gate_up_exps.weight"))) {
            WB_TRY_ASSIGN(const TensorInfo* const both, m_tensors.need(name("ffn_gate_up_exps.weight"), {count, 2 * inner, width}));
            e.gate = {both, 0, inner};
            e.up = {both, inner, inner};
            e.stride = 2 * inner;
        } else {
            WB_TRY_ASSIGN(const TensorInfo* const gate, m_tensors.need(name("ffn_gate_exps.weight"), {count, inner, width}));
            WB_TRY_ASSIGN(const TensorInfo* const up, m_tensors.need(name("ffn_up_exps.weight"), {count, inner, width}));
            e.gate = {gate, 0, inner};
            e.up = {up, 0, inner};
            e.stride = inner;
        }
        WB_TRY_ASSIGN(e.down, m_tensors.need(name("ffn_down_exps.weight"), {count, width, inner}));
        WB_TRY_ASSIGN(e.gateBias, m_tensors.find(name("ffn_gate_exps.bias"), {count, inner}));
        WB_TRY_ASSIGN(e.upBias, m_tensors.find(name("ffn_up_exps.bias"), {count, inner}));
        WB_TRY_ASSIGN(e.downBias, m_tensors.find(name("ffn_down_exps.bias"), {count, width}));
        return findSharedGate();
    }

    // Files hold it as a vector or as a matrix of one row.
    Result<void> findSharedGate() {
        const std::string gate = name("ffn_gate_inp_shexp.weight");
        if (m_layer.sharedExpertWidth == 0 || !m_tensors.has(gate)) return {};
        const auto asVector = m_tensors.find(gate, {m_spec.width});
        if (asVector) {
            m_found.experts.sharedGate = *asVector;
            return {};
        }
        WB_TRY_ASSIGN(m_found.experts.sharedGate, m_tensors.find(gate, {1, m_spec.width}));
        return {};
    }

    Result<void> findLayerInput() {
        WB_TRY_ASSIGN(m_found.outputScale, m_tensors.find(name("layer_output_scale.weight"), {1}));
        const std::uint64_t width = m_spec.width, inner = m_spec.perLayerInput;
        if (inner == 0) return {};
        WB_TRY_ASSIGN(m_found.inputGate, m_tensors.need(name("inp_gate.weight"), {inner, width}));
        WB_TRY_ASSIGN(m_found.inputProjection, m_tensors.need(name("proj.weight"), {width, inner}));
        WB_TRY_ASSIGN(m_found.inputNorm, m_tensors.need(name("post_norm.weight"), {width}));
        return {};
    }

    const TensorFinder& m_tensors;
    const arch::ModelSpec& m_spec;
    const arch::LayerSpec& m_layer;
    bool m_ownsCache;
    std::string m_prefix;
    LayerTensors m_found;
};

} // namespace

Result<LayerTensors> findLayer(const TensorFinder& tensors, const arch::ModelSpec& spec, std::size_t index) {
    return LayerFinder(tensors, spec, index).find();
}

} // namespace wb::infer
