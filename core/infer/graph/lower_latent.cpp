// SPDX-License-Identifier: MIT
#include "core/infer/graph/lower_latent.h"

#include "core/arch/family.h"
#include "core/infer/graph/lower_layer.h"

#include <cmath>

namespace wb::infer {
namespace {

// 1/sqrt of the length of a key before compression; YaRN stretches it (ggml-org/llama.cpp: src/models/deepseek2.cpp).
float latentScale(const arch::ModelSpec& spec) {
    if (spec.attentionScale > 0) return spec.attentionScale;
    const double usual = 1 / std::sqrt(static_cast<double>(spec.latent.keyLength));
    const double factor = spec.family ? spec.family->yarnLogFactor : 1;
    const double multiplier = factor > 0 ? static_cast<double>(spec.rope.yarnLogMultiplier) / factor : 0;
    if (spec.rope.scaling != arch::RopeScaling::Yarn || multiplier == 0 || spec.rope.factor <= 1) return static_cast<float>(usual);
    const double stretch = 1 + 0.1 * multiplier * std::log(static_cast<double>(spec.rope.factor));
    return static_cast<float>(usual * stretch * stretch);
}

Slice tensorWhole(const TensorInfo* tensor) { return {tensor, 0, tensor->shape.rows()}; }

} // namespace

Result<std::vector<LayerOp>> lowerLatentAttention(const LatentLayer& of, const NormOp& norm, std::optional<std::uint32_t> rope,
                                                  std::uint32_t cache) {
    const auto& [tensors, spec, layer, prefix] = of;
    const std::uint64_t heads = layer.heads, rank = spec.latent.keyValueRank, rotated = layer.keyLength - rank;
    LatentQkvOp op;
    op.norm = norm;
    op.shape = {heads, 1, layer.keyLength, rank};
    op.plain = spec.latent.keyLength - rotated;
    op.rope = rope;
    op.cache = cache;
    op.temperature = queryTemperature(spec, layer);
    const bool compresses = tensors.has(prefix + "attn_q_a.weight");
    const std::uint64_t queries = heads * spec.latent.keyLength;
    if (compresses) {
        WB_TRY_ASSIGN(const std::uint64_t queryRank, tensors.tensorRows(prefix + "attn_q_a.weight"));
        WB_TRY_ASSIGN(op.compress.weight, tensors.needSlice(prefix + "attn_q_a.weight", {queryRank, spec.width}));
        WB_TRY_ASSIGN(const Slice weight, tensors.needSlice(prefix + "attn_q_a_norm.weight", {queryRank}));
        op.compressNorm = {NormKind::Rms, spec.normEpsilon, weight, {}};
        WB_TRY_ASSIGN(op.q.weight, tensors.needSlice(prefix + "attn_q_b.weight", {queries, queryRank}));
    } else {
        WB_TRY_ASSIGN(op.q.weight, tensors.needSlice(prefix + "attn_q.weight", {queries, spec.width}));
    }
    WB_TRY_ASSIGN(op.k.weight, tensors.needSlice(prefix + "attn_kv_a_mqa.weight", {layer.keyLength, spec.width}));
    WB_TRY_ASSIGN(const Slice keyWeight, tensors.needSlice(prefix + "attn_kv_a_norm.weight", {rank}));
    op.keyNorm = {NormKind::Rms, spec.normEpsilon, keyWeight, {}};
    WB_TRY_ASSIGN(const TensorInfo* const keys, tensors.need(prefix + "attn_k_b.weight", {heads, rank, op.plain}));
    op.absorb = tensorWhole(keys);
    AttendOp attend;
    attend.shape = op.shape;
    attend.cache = cache;
    attend.scale = latentScale(spec);
    attend.window = layer.window;
    const std::uint64_t values = spec.latent.valueLength;
    WB_TRY_ASSIGN(const TensorInfo* const expand, tensors.need(prefix + "attn_v_b.weight", {heads, values, rank}));
    ResidualOp out{.input = RowInput::Mixed, .linear = {}, .norm = {}, .scale = spec.residualScale};
    WB_TRY_ASSIGN(out.linear.weight, tensors.needSlice(prefix + "attn_output.weight", {spec.width, heads * values}));
    return std::vector<LayerOp>{op, attend, HeadwiseOp{tensorWhole(expand), heads}, out};
}

} // namespace wb::infer
