// SPDX-License-Identifier: MIT
#include "core/infer/graph/lower_index.h"

#include "core/arch/family.h"

namespace wb::infer {
namespace {

// Of the LayerNorm of keys (huggingface/transformers: models/glm_moe_dsa/modeling_glm_moe_dsa.py).
constexpr float keyNormEpsilon = 1e-6F;

// Keys of single tokens: GLM-5 (ggml-org/llama.cpp: src/models/glm-dsa.cpp).
Result<void> findTokenIndexer(const IndexLayer& of, IndexOp& op) {
    const std::string prefix = of.prefix + "indexer.";
    const std::uint64_t width = of.spec.width;
    const std::uint64_t columns = op.fromCompressed ? of.compressed->compress.weight.count : width;
    WB_TRY_ASSIGN(op.q.weight, of.tensors.needSlice(prefix + "attn_q_b.weight", {op.heads * op.length, columns}));
    WB_TRY_ASSIGN(op.k.weight, of.tensors.needSlice(prefix + "attn_k.weight", {op.length, width}));
    WB_TRY_ASSIGN(op.weights.weight, of.tensors.needSlice(prefix + "proj.weight", {op.heads, width}));
    WB_TRY_ASSIGN(const NormTensors norm, of.tensors.needNorm(prefix + "k_norm", op.length));
    op.kNorm = {NormKind::Layer, keyNormEpsilon, norm.weight, norm.bias};
    return {};
}

// Keys of blocks: Qwen3.8-Flash-Next (ggml-org/llama.cpp: src/models/qwen4exp.cpp).
Result<void> findBlockIndexer(const IndexLayer& of, IndexOp& op) {
    const std::string prefix = of.prefix + "indexer.";
    WB_TRY_ASSIGN(op.q.weight, of.tensors.needSlice(prefix + "q_proj.weight", {op.heads * op.length, of.spec.width}));
    WB_TRY_ASSIGN(op.k.weight, of.tensors.needSlice(prefix + "k_proj.weight", {op.length, of.spec.width}));
    WB_TRY_ASSIGN(const Slice queries, of.tensors.needSlice(prefix + "q_norm.weight", {op.length}));
    WB_TRY_ASSIGN(const Slice keys, of.tensors.needSlice(prefix + "k_norm.weight", {op.length}));
    op.qNorm = {NormKind::Rms, of.spec.normEpsilon, queries, {}};
    op.kNorm = {NormKind::Rms, of.spec.normEpsilon, keys, {}};
    return {};
}

} // namespace

const char* invalidIndexKey(const arch::ModelSpec& spec) {
    const arch::IndexerSpec& indexer = spec.indexer;
    const bool needsIndexer = spec.family && spec.family->indexer != arch::IndexerKind::None;
    if (needsIndexer && indexer.topK == 0) return "attention.indexer.top_k";
    bool hasIndexer = false;
    for (const arch::LayerSpec& layer : spec.layers) {
        if (!layer.selects || layer.predictsAhead) continue;
        hasIndexer |= layer.indexBlock > 0;
        if (!hasIndexer) return "attention.indexer.types";
        if (indexer.heads == 0) return "attention.indexer.head_count";
        if (indexer.keyLength == 0 || layer.ropeDimensions > indexer.keyLength) return "attention.indexer.key_length";
        if (layer.indexBlock > indexer.topK) return "attention.compress_ratios";
        if (layer.window > 0) return "attention.sliding_window";
    }
    return nullptr;
}

Result<IndexOp> lowerIndex(const IndexLayer& of, const NormOp& norm, std::optional<std::uint32_t> rope,
                           std::vector<CacheShape>& caches, std::vector<StateShape>& states) {
    const arch::IndexerSpec& indexer = of.spec.indexer;
    IndexOp op;
    op.norm = norm;
    op.heads = indexer.heads;
    op.length = indexer.keyLength;
    op.topK = indexer.topK;
    op.block = of.layer.indexBlock;
    op.rope = rope;
    op.fromCompressed = of.compressed && of.compressed->compress;
    if (op.fromCompressed) op.queryNorm = of.compressed->compressNorm;
    op.cache = static_cast<std::uint32_t>(caches.size());
    caches.push_back({.heads = {op.heads, 1, op.length, 0}, .block = op.block});
    if (op.block > 1) {
        op.state = static_cast<std::uint32_t>(states.size());
        states.push_back({1, op.length});
    }
    if (of.tensors.has(of.prefix + "indexer.q_proj.weight")) WB_TRY(findBlockIndexer(of, op));
    else WB_TRY(findTokenIndexer(of, op));
    return op;
}

} // namespace wb::infer
