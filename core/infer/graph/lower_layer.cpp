// SPDX-License-Identifier: MIT
#include "core/infer/graph/lower_layer.h"

#include "core/arch/family.h"
#include "core/infer/graph/lower_channel_delta.h"
#include "core/infer/graph/lower_index.h"
#include "core/infer/graph/lower_latent.h"
#include "core/infer/graph/lower_recurrent.h"
#include "core/infer/graph/lower_state_space.h"
#include "core/infer/graph/lower_streams.h"
#include "core/infer/graph/rope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wb::infer {
namespace {

bool isDense(const arch::LayerSpec& layer) { return layer.feedForward > 0 || layer.sharedExpertWidth > 0; }

Activation lowered(arch::Activation type) {
    switch (type) {
    case arch::Activation::Silu: return Activation::Silu;
    case arch::Activation::GeluTanh: return Activation::GeluTanh;
    case arch::Activation::GeluErf: return Activation::GeluErf;
    case arch::Activation::Relu: return Activation::Relu;
    case arch::Activation::ReluSquared: return Activation::ReluSquared;
    case arch::Activation::ClampedSwiglu: break;
    }
    return Activation::ClampedSwiglu;
}

// One layer, with the tensor names of ggml-org/llama.cpp: src/llama-arch.cpp.
class OneLayer {
public:
    OneLayer(const TensorFinder& tensors, const arch::ModelSpec& spec, std::size_t index)
        : m_tensors(tensors), m_spec(spec), m_layer(spec.layers[index]), m_index(index),
          m_shape{m_layer.heads, m_layer.kvHeads, m_layer.keyLength,
                  spec.latent.keyValueRank > 0 && m_layer.hasAttention() ? spec.latent.keyValueRank : m_layer.valueLength},
          m_prefix(fmt::format("blk.{}.", index)) {}

    const HeadShape& shape() const { return m_shape; }

    // `caches` and `states` are the graph's, for the layer to add its own.
    Result<std::vector<LayerOp>> lower(std::optional<std::uint32_t> rope, std::uint32_t cache, std::vector<CacheShape>& caches,
                                       std::vector<StateShape>& states) {
        if (hasStreams()) return lowerStreams(rope, cache, caches, states);
        WB_TRY(findNorms());
        // All parts of a layer that stand side by side read x before one of them adds to it.
        WB_TRY(addMixer(rope, cache, caches, states));
        if (m_spec.parallelResidual) WB_TRY(addGateUp());
        if (attends()) WB_TRY(addAttend(cache));
        if (m_layer.recurrence == arch::Recurrence::Mamba2) WB_TRY(append(lowerStateSpace(m_tensors, m_spec, m_prefix, states)));
        if (!m_spec.parallelResidual) WB_TRY(addGateUp());
        WB_TRY(addExperts());
        WB_TRY(addDown());
        if (isDenseBesideExperts()) m_ops.emplace_back(AddSumOp{m_feedForwardPostNorm, m_spec.residualScale});
        WB_TRY(addLayerInput());
        return std::move(m_ops);
    }

private:
    bool hasStreams() const { return m_spec.streams.count > 0; }
    bool attends() const { return m_layer.hasAttention() && !isLatent(); }
    bool isDenseBesideExperts() const { return family() && family()->denseBesideExperts && m_layer.expertsUsed > 0; }

    // What mixes tokens, up to the residual; of ordinary attention up to the queries, of Mamba-2 the projection alone.
    Result<void> addMixer(std::optional<std::uint32_t> rope, std::uint32_t cache, std::vector<CacheShape>& caches,
                          std::vector<StateShape>& states) {
        if (attends()) WB_TRY(addQkv(rope, cache));
        WB_TRY(addRecurrence(states));
        if (attends()) return addIndex(rope, std::nullopt, caches, states);
        return m_layer.hasAttention() ? addLatent(rope, cache, caches, states) : Result<void>{};
    }

    Result<void> addLatent(std::optional<std::uint32_t> rope, std::uint32_t cache, std::vector<CacheShape>& caches,
                           std::vector<StateShape>& states) {
        WB_TRY_ASSIGN(std::vector<LayerOp> ops,
                      lowerLatentAttention({m_tensors, m_spec, m_layer, m_prefix}, m_attentionNorm, rope, cache));
        for (LayerOp& op : ops) {
            if (auto* const attend = std::get_if<AttendOp>(&op)) attend->selects = m_layer.selects;
            const auto* const latent = std::get_if<LatentQkvOp>(&m_ops.emplace_back(std::move(op)));
            if (latent) WB_TRY(addIndex(rope, LatentQkvOp(*latent), caches, states));
        }
        return {};
    }

    Result<void> addIndex(std::optional<std::uint32_t> rope, const std::optional<LatentQkvOp>& latent,
                          std::vector<CacheShape>& caches, std::vector<StateShape>& states) {
        if (!m_layer.selects || m_layer.indexBlock == 0) return {};
        WB_TRY_ASSIGN(const IndexOp op, lowerIndex({m_tensors, m_spec, m_layer, m_prefix, latent ? &*latent : nullptr},
                                                   m_attentionNorm, rope, caches, states));
        m_ops.emplace_back(op);
        return {};
    }

    // Each half reads a mixture of the streams, and is added to all of them.
    Result<std::vector<LayerOp>> lowerStreams(std::optional<std::uint32_t> rope, std::uint32_t cache,
                                              std::vector<CacheShape>& caches, std::vector<StateShape>& states) {
        if (std::ranges::find(m_spec.ngrams.layers, m_index) != m_spec.ngrams.layers.end()) {
            WB_TRY_ASSIGN(m_ops, lowerNgrams(m_tensors, m_spec, m_prefix, states));
        }
        WB_TRY(addMix("hc_attn"));
        WB_TRY(addMixer(rope, cache, caches, states));
        if (attends()) WB_TRY(addAttend(cache));
        m_ops.emplace_back(InjectOp{m_spec.streams.count});
        WB_TRY(addMix("hc_ffn"));
        WB_TRY(addGateUp());
        WB_TRY(addExperts());
        WB_TRY(addDown());
        m_ops.emplace_back(InjectOp{m_spec.streams.count});
        for (LayerOp& op : m_ops) {
            if (auto* const residual = std::get_if<ResidualOp>(&op)) residual->target = RowTarget::Sum;
            if (auto* const experts = std::get_if<ExpertsOp>(&op)) experts->target = RowTarget::Sum;
        }
        return std::move(m_ops);
    }

    Result<void> addMix(const char* stem) {
        WB_TRY_ASSIGN(const MixStreamsOp op, lowerMix(m_tensors, m_spec, name(stem), true));
        m_ops.emplace_back(op);
        return {};
    }

    std::string name(const char* rest) const { return m_prefix + rest; }
    bool isParallelNorm(const std::string& own) const {
        return m_spec.parallelResidual && mixesTokens() && !m_tensors.has(own + ".weight");
    }
    const arch::Family* family() const { return m_spec.family; }
    bool isLatent() const { return m_spec.latent.keyValueRank > 0; }
    bool hasGates() const { return family() && family()->attentionGate; }

    bool mixesTokens() const { return m_layer.hasAttention() || m_layer.recurrence != arch::Recurrence::None; }
    bool feedsForward() const { return isDense(m_layer) || m_layer.expertsUsed > 0; }

    Result<void> append(Result<std::vector<LayerOp>> operations) {
        if (!operations) return std::unexpected(std::move(operations).error());
        m_ops.insert(m_ops.end(), operations->begin(), operations->end());
        return {};
    }

    // The whole recurrent part, or only the projection of Mamba-2.
    Result<void> addRecurrence(std::vector<StateShape>& states) {
        switch (m_layer.recurrence) {
        case arch::Recurrence::ShortConvolution:
            return append(lowerShortConvolution(m_tensors, m_spec, m_prefix, m_attentionNorm, states));
        case arch::Recurrence::DeltaNet: return append(lowerDeltaNet(m_tensors, m_spec, m_prefix, m_attentionNorm, states));
        case arch::Recurrence::Kda: return append(lowerChannelDelta(m_tensors, m_spec, m_prefix, m_attentionNorm, states));
        case arch::Recurrence::Mamba2: break;
        case arch::Recurrence::None:
        case arch::Recurrence::Mamba: // refused by missingPart() of graph.cpp
        case arch::Recurrence::Rwkv: return {};
        }
        WB_TRY_ASSIGN(const LayerOp projection, lowerStateSpaceProjection(m_tensors, m_spec, m_prefix, m_attentionNorm));
        m_ops.push_back(projection);
        return {};
    }

    Result<NormOp> needNorm(const char* rest) {
        WB_TRY_ASSIGN(const NormTensors tensors, m_tensors.needNorm(name(rest), m_spec.width));
        return normOp(m_spec, tensors);
    }

    Result<Linear> needLinear(const std::string& stem, std::uint64_t rows, std::uint64_t columns) const {
        Linear linear;
        WB_TRY_ASSIGN(linear.weight, m_tensors.needSlice(stem + ".weight", {rows, columns}));
        WB_TRY_ASSIGN(linear.bias, m_tensors.findSlice(stem + ".bias", {rows}));
        return linear;
    }

    // Queries and keys always have the RMS norm.
    NormOp rmsNorm(const Slice& weight) const { return {NormKind::Rms, m_spec.normEpsilon, weight, {}}; }

    Result<void> findNorms() {
        const bool before = m_spec.normPlacement != arch::NormPlacement::After;
        const bool after = m_spec.normPlacement != arch::NormPlacement::Before;
        if (before && mixesTokens()) {
            WB_TRY_ASSIGN(m_attentionNorm, needNorm("attn_norm"));
        }
        if (after) {
            WB_TRY_ASSIGN(m_attentionPostNorm, needNorm("post_attention_norm"));
            WB_TRY_ASSIGN(m_feedForwardPostNorm, needNorm("post_ffw_norm"));
        }
        return before && feedsForward() ? findFeedForwardNorm(!after) : Result<void>{};
    }

    // Some families name it after the attention before it; parallel halves may share one norm. A layer that is a feed-forward part
    // and nothing else has one norm, whose name is the usual one of attention.
    Result<void> findFeedForwardNorm(bool mayFollowAttention) {
        const bool follows = mayFollowAttention && !m_tensors.hasNorm(name("ffn_norm"));
        const char* const own = !follows ? "ffn_norm" : mixesTokens() ? "post_attention_norm" : "attn_norm";
        if (isParallelNorm(name(own))) {
            m_feedForwardNorm = m_attentionNorm;
            return {};
        }
        // An error names the usual one where there is neither.
        WB_TRY_ASSIGN(m_feedForwardNorm, needNorm(m_tensors.hasNorm(name(own)) ? own : "ffn_norm"));
        return {};
    }

    Result<void> addQkv(std::optional<std::uint32_t> rope, std::uint32_t cache) {
        QkvOp op;
        op.norm = m_attentionNorm;
        op.shape = m_shape;
        op.rope = rope;
        op.cache = cache;
        op.gates = hasGates();
        WB_TRY(findProjections(op));
        WB_TRY(findHeadNorms(op));
        op.temperature = queryTemperature(m_spec, m_layer);
        m_ops.emplace_back(op);
        return {};
    }

    Result<void> findProjections(QkvOp& op) const {
        const std::uint64_t q = (op.gates ? 2 : 1) * m_shape.heads * m_shape.keyLength, k = m_shape.kvHeads * m_shape.keyLength,
                            v = m_shape.kvHeads * m_shape.valueLength, width = m_spec.width;
        if (m_tensors.has(name("attn_qkv.weight"))) return findFused(op, q, k, v);
        WB_TRY_ASSIGN(op.q, needLinear(name("attn_q"), q, width));
        if (!m_layer.ownsCache(m_index)) return {};
        WB_TRY_ASSIGN(op.k, needLinear(name("attn_k"), k, width));
        // Gemma 4's large models use the projected keys as values, too.
        const bool keysAreValues = family() && family()->valueNorm && k == v && !m_tensors.has(name("attn_v.weight"));
        WB_TRY_ASSIGN(op.v.bias, m_tensors.findSlice(name("attn_v.bias"), {v}));
        op.v.weight = op.k.weight;
        if (!keysAreValues) {
            WB_TRY_ASSIGN(op.v.weight, m_tensors.needSlice(name("attn_v.weight"), {v, width}));
        }
        return {};
    }

    Result<void> findFused(QkvOp& op, std::uint64_t q, std::uint64_t k, std::uint64_t v) const {
        WB_TRY_ASSIGN(const Linear all, needLinear(name("attn_qkv"), q + k + v, m_spec.width));
        const auto part = [&all](std::uint64_t first, std::uint64_t count) {
            return Linear{{all.weight.tensor, first, count}, all.bias ? Slice{all.bias.tensor, first, count} : Slice{}};
        };
        op.q = part(0, q);
        op.k = part(q, k);
        op.v = part(q + k, v);
        return {};
    }

    Result<void> findHeadNorms(QkvOp& op) const {
        op.normsAfterRope = family() && family()->normsAfterRope;
        op.normsWhole = family() && family()->queryKeyNorm == arch::QueryKeyNorm::Whole;
        const std::uint64_t q = (op.normsWhole ? m_shape.heads : 1) * m_shape.keyLength;
        const std::uint64_t k = (op.normsWhole ? m_shape.kvHeads : 1) * m_shape.keyLength;
        WB_TRY_ASSIGN(const Slice qWeight, m_tensors.findSlice(name("attn_q_norm.weight"), {q}));
        WB_TRY_ASSIGN(const Slice kWeight, m_tensors.findSlice(name("attn_k_norm.weight"), {k}));
        if (qWeight) op.qNorm = rmsNorm(qWeight);
        if (kWeight && op.k) op.kNorm = rmsNorm(kWeight);
        if (op.rope && hasPlainHeadNorms()) op.qNorm = op.kNorm = rmsNorm({});
        if (family() && family()->valueNorm) op.vNorm = rmsNorm({});
        return {};
    }

    bool hasPlainHeadNorms() const {
        return family() && family()->plainHeadNorms && m_spec.experts.count != family()->normlessExperts;
    }

    Result<void> addAttend(std::uint32_t cache) {
        AttendOp op;
        op.shape = m_shape;
        op.cache = cache;
        op.scale = m_spec.attentionScale > 0 ? m_spec.attentionScale : 1.0F / std::sqrt(static_cast<float>(m_shape.keyLength));
        op.softcap = m_spec.attentionSoftcap;
        op.window = m_layer.window;
        op.chunked = m_layer.chunked;
        op.selects = m_layer.selects;
        WB_TRY_ASSIGN(op.sinks, m_tensors.findSlice(name("attn_sinks.weight"), {m_shape.heads}));
        m_ops.emplace_back(op);
        if (hasGates()) // each head's queries come before its gates
            m_ops.emplace_back(
                GateOp{{}, GateKind::Sigmoid, m_shape.heads, m_shape.valueLength, m_shape.keyLength, 2 * m_shape.keyLength});
        ResidualOp out{.input = RowInput::Attended, .linear = {}, .norm = m_attentionPostNorm, .scale = m_spec.residualScale};
        WB_TRY_ASSIGN(out.linear, needLinear(name("attn_output"), m_spec.width, m_shape.heads * m_shape.valueLength));
        m_ops.emplace_back(out);
        return {};
    }

    // The dense feed-forward part, or the shared expert.
    const char* suffix() const { return m_layer.feedForward > 0 ? "" : "_shexp"; }
    std::uint64_t inner() const { return m_layer.feedForward > 0 ? m_layer.feedForward : m_layer.sharedExpertWidth; }

    Result<void> addGateUp() {
        if (!isDense(m_layer)) return {};
        const std::uint64_t width = m_spec.width;
        const std::string gate = name("ffn_gate") + suffix(), up = name("ffn_up") + suffix();
        GateUpOp op;
        op.norm = m_feedForwardNorm;
        op.activation = lowered(m_spec.activation);
        const bool isFused = m_spec.gatedFeedForward && !m_tensors.has(gate + ".weight") && m_tensors.has(up + ".weight");
        WB_TRY_ASSIGN(op.up, needLinear(up, isFused ? 2 * inner() : inner(), width));
        if (isFused) {
            const auto half = [this](const Slice& both, std::uint64_t first) {
                return both ? Slice{both.tensor, first, inner()} : Slice{};
            };
            op.gate = {half(op.up.weight, 0), half(op.up.bias, 0)};
            op.up = {half(op.up.weight, inner()), half(op.up.bias, inner())};
        } else if (m_spec.gatedFeedForward) {
            WB_TRY_ASSIGN(op.gate, needLinear(gate, inner(), width));
        }
        m_ops.emplace_back(op);
        return {};
    }

    Result<void> addDown() {
        if (!isDense(m_layer)) return {};
        ResidualOp op{.input = RowInput::Hidden, .linear = {}, .norm = m_feedForwardPostNorm, .scale = m_spec.residualScale};
        WB_TRY_ASSIGN(op.linear, needLinear(name("ffn_down") + suffix(), m_spec.width, inner()));
        op.sharedGate = m_hasSharedGate;
        if (isDenseBesideExperts()) {
            op.target = RowTarget::Sum;
            WB_TRY_ASSIGN(op.norm, needNorm("post_ffw_norm_1"));
        }
        m_ops.emplace_back(op);
        return {};
    }

    Result<void> addExperts() {
        if (m_layer.expertsUsed == 0) {
            // A model with a dense part, too, would run without them.
            if (m_tensors.has(name("ffn_gate_inp.weight"))) return invalidKey(m_tensors.file(), "expert_count");
            return {};
        }
        const std::uint64_t width = m_spec.width, count = m_spec.experts.count;
        RouteOp route;
        route.norm = m_feedForwardNorm;
        WB_TRY_ASSIGN(route.router, needLinear(name("ffn_gate_inp"), count, width));
        WB_TRY_ASSIGN(route.selectionBias, findVector("exp_probs_b.bias", count));
        WB_TRY_ASSIGN(route.sharedGate, findSharedGate());
        m_hasSharedGate = bool(route.sharedGate);
        route.experts = count;
        route.used = m_layer.expertsUsed;
        route.gating = m_spec.experts.gating;
        route.groups = std::max<std::uint64_t>(m_spec.experts.groups, 1);
        route.groupsUsed = std::clamp<std::uint64_t>(m_spec.experts.groupsUsed, 1, route.groups);
        route.normalizes = m_spec.experts.normalizesWeights;
        route.scale = m_spec.experts.weightScale;
        ExpertsOp op;
        op.norm = m_feedForwardNorm;
        op.scalesInputs = family() && family()->scalesExpertInputs;
        if (isDenseBesideExperts()) WB_TRY(addOwnNorms(route, op));
        m_ops.emplace_back(route);
        op.experts = count;
        op.used = m_layer.expertsUsed;
        op.inner = m_layer.expertWidth;
        op.activation = lowered(m_spec.activation);
        op.scale = m_spec.residualScale;
        WB_TRY(findExperts(op));
        m_ops.emplace_back(op);
        return {};
    }

    // Experts parallel to a dense part (ggml-org/llama.cpp: src/models/gemma4.cpp).
    Result<void> addOwnNorms(RouteOp& route, ExpertsOp& op) {
        WB_TRY_ASSIGN(const Slice routed, m_tensors.needSlice(name("ffn_gate_inp.scale"), {m_spec.width}));
        route.norm = rmsNorm(routed);
        route.logitScale = 1.0F / std::sqrt(static_cast<float>(m_spec.width));
        WB_TRY_ASSIGN(route.expertScale, m_tensors.findSlice(name("ffn_down_exps.scale"), {m_spec.experts.count}));
        WB_TRY_ASSIGN(op.norm, needNorm("pre_ffw_norm_2"));
        WB_TRY_ASSIGN(op.outNorm, needNorm("post_ffw_norm_2"));
        op.target = RowTarget::Sum;
        return {};
    }

    Result<void> findExperts(ExpertsOp& op) const {
        const std::uint64_t width = m_spec.width, count = op.experts, inner = op.inner;
        if (m_tensors.has(name("ffn_gate_up_exps.weight"))) {
            WB_TRY_ASSIGN(const TensorInfo* const both, m_tensors.need(name("ffn_gate_up_exps.weight"), {count, 2 * inner, width}));
            op.gate = {both, 0, inner};
            op.up = {both, inner, inner};
            op.stride = 2 * inner;
        } else {
            if (m_spec.gatedFeedForward) {
                WB_TRY_ASSIGN(const TensorInfo* const gate, m_tensors.need(name("ffn_gate_exps.weight"), {count, inner, width}));
                op.gate = {gate, 0, inner};
            }
            WB_TRY_ASSIGN(const TensorInfo* const up, m_tensors.need(name("ffn_up_exps.weight"), {count, inner, width}));
            op.up = {up, 0, inner};
            op.stride = inner;
        }
        WB_TRY_ASSIGN(const TensorInfo* const down, m_tensors.need(name("ffn_down_exps.weight"), {count, width, inner}));
        op.down = {down, 0, width};
        WB_TRY_ASSIGN(op.gateBias, findRows("ffn_gate_exps.bias", count, inner));
        WB_TRY_ASSIGN(op.upBias, findRows("ffn_up_exps.bias", count, inner));
        WB_TRY_ASSIGN(op.downBias, findRows("ffn_down_exps.bias", count, width));
        return {};
    }

    // All elements of a matrix of biases.
    Result<Slice> findRows(const char* rest, std::uint64_t rows, std::uint64_t columns) const {
        WB_TRY_ASSIGN(const TensorInfo* const tensor, m_tensors.find(name(rest), {rows, columns}));
        return Slice{tensor, 0, tensor ? rows * columns : 0};
    }

    Result<Slice> findSharedGate() const {
        return m_layer.sharedExpertWidth == 0 ? Slice{} : findVector("ffn_gate_inp_shexp.weight", m_spec.width);
    }

    // Files store it as a vector or as a matrix of one row.
    Result<Slice> findVector(const char* rest, std::uint64_t count) const {
        if (!m_tensors.has(name(rest))) return Slice{};
        if (const auto asVector = m_tensors.findSlice(name(rest), {count})) return asVector;
        return findRows(rest, 1, count);
    }

    Result<void> addLayerInput() {
        if (m_spec.perLayerInput > 0) {
            const std::uint64_t width = m_spec.width, each = m_spec.perLayerInput;
            LayerInputOp op{.gate = {}, .layer = m_index, .activation = lowered(m_spec.activation)};
            WB_TRY_ASSIGN(op.gate, m_tensors.needSlice(name("inp_gate.weight"), {each, width}));
            m_ops.emplace_back(op);
            ResidualOp out{.input = RowInput::Hidden, .linear = {}, .norm = {}, .scale = m_spec.residualScale};
            WB_TRY_ASSIGN(out.linear.weight, m_tensors.needSlice(name("proj.weight"), {width, each}));
            WB_TRY_ASSIGN(const Slice norm, m_tensors.needSlice(name("post_norm.weight"), {width}));
            out.norm = normOp(m_spec, {norm, {}});
            m_ops.emplace_back(out);
        }
        WB_TRY_ASSIGN(const Slice factor, m_tensors.findSlice(name("layer_output_scale.weight"), {1}));
        if (factor) m_ops.emplace_back(ScaleOp{factor});
        return {};
    }

    const TensorFinder& m_tensors;
    const arch::ModelSpec& m_spec;
    const arch::LayerSpec& m_layer;
    const std::size_t m_index;
    const HeadShape m_shape;
    const std::string m_prefix;
    NormOp m_attentionNorm, m_attentionPostNorm, m_feedForwardNorm, m_feedForwardPostNorm;
    bool m_hasSharedGate = false;
    std::vector<LayerOp> m_ops;
};

} // namespace

Temperature queryTemperature(const arch::ModelSpec& spec, const arch::LayerSpec& layer) {
    if (spec.temperatureScale <= 0 || (spec.temperatureOfRopeless && layer.ropeDimensions > 0)) return {};
    return {spec.temperatureScale, spec.temperatureContext, spec.temperatureOffset};
}

NormOp normOp(const arch::ModelSpec& spec, const NormTensors& tensors) {
    const NormKind kind = spec.norm == arch::NormKind::Rms ? NormKind::Rms : NormKind::Layer;
    return {kind, spec.normEpsilon, tensors.weight, kind == NormKind::Layer ? tensors.bias : Slice{}};
}

Result<std::vector<LayerOp>> LayerLowering::lower(std::size_t index) {
    const arch::LayerSpec& layer = m_spec.layers[index];
    OneLayer one(m_tensors, m_spec, index);
    std::optional<std::uint32_t> rope;
    if (layer.ropeDimensions > 0) {
        const RopeOp op = ropeOp(m_spec, layer, m_divisors);
        const auto found = std::ranges::find(m_graph.ropes, op);
        rope = static_cast<std::uint32_t>(found - m_graph.ropes.begin());
        if (found == m_graph.ropes.end()) m_graph.ropes.push_back(op);
    }
    const bool owns = layer.ownsCache(index);
    const auto next = static_cast<std::uint32_t>(m_graph.caches.size());
    m_cacheOf.push_back(owns || layer.cacheLayer == index ? next : m_cacheOf[layer.cacheLayer]);
    if (owns) m_graph.caches.push_back({one.shape()});
    return one.lower(rope, m_cacheOf.back(), m_graph.caches, m_graph.states);
}

} // namespace wb::infer
