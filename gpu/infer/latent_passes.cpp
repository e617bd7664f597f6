// SPDX-License-Identifier: MIT
#include "gpu/infer/layer_recorder.h"
#include "gpu/infer/stream_kernels.h"

#include <array>
#include <utility>

// The operations of latent attention and of indexers.
namespace wb::gpu {

PrepareStep LayerRecorder::firstInput(const infer::LatentQkvOp& op) const {
    return inputStep({.rows = m_buffers.x, .norm = normOpNorm(op.norm)}, {op.compress ? &op.compress : &op.q, &op.k});
}

PrepareStep LayerRecorder::firstInput(const infer::HeadwiseOp& op) const {
    return inputStep({.rows = m_buffers.attended, .rowsOfToken = narrow(op.heads)},
                     std::array{&m_buffers.weights.experts(headStack(op))});
}

// to[head] = W_head row of each head and token, the input
Result<void> LayerRecorder::multiplyHeads(const ExpertStack& stack, MultiplyStep product, const View& to) {
    product.matrix = &m_buffers.weights.experts(stack);
    product.epilogue = WB_STORE;
    product.experts = {WB_EXPERTS_ALL, {}, narrow(stack.experts)};
    return run(product, to);
}

// Queries of the compressed space in `rotated`; keys and values go into the cache
Result<void> LayerRecorder::operator()(const infer::LatentQkvOp& op) {
    MultiplyStep queries = linearProduct(op.q, WB_STORE);
    queries.outStride = m_buffers.mixedStride;
    WB_TRY(prepareInput(firstInput(op)));
    if (op.compress) WB_TRY(store(op.compress, m_buffers.compressed));
    else WB_TRY(run(queries, m_buffers.mixed));
    WB_TRY(store(op.k, m_buffers.keys));
    if (op.compress) {
        WB_TRY(prepareInput(inputStep({.rows = m_buffers.compressed, .norm = normOpNorm(op.compressNorm)}, {&op.q})));
        WB_TRY(run(queries, m_buffers.mixed));
    }
    WB_TRY(prepareQueries(op));
    return storeLatent(op);
}

// Of each head the absorbed numbers, then those that are rotated.
Result<void> LayerRecorder::prepareQueries(const infer::LatentQkvOp& op) {
    const infer::HeadShape& shape = op.shape;
    const std::uint32_t heads = narrow(shape.heads), keyLength = narrow(shape.keyLength), valueLength = narrow(shape.valueLength);
    const std::uint32_t plain = narrow(op.plain), each = plain + keyLength - valueLength;
    const View* const factors = temperatureFactors(op.temperature);
    PrepareStep from{.rows = m_buffers.mixed, .rowsOfToken = heads};
    from.place = {m_buffers.mixedStride, 0, each};
    MultiplyStep absorbed;
    absorbed.factors = factors;
    absorbed.factorOf = heads;
    absorbed.outStride = keyLength;
    WB_TRY(prepareInput(inputStep(std::move(from), std::array{&m_buffers.weights.experts(headStack(op))})));
    WB_TRY(multiplyHeads(headStack(op), absorbed, m_buffers.rotated));
    RotateStep others = rotation(op.rope, m_buffers.mixed, shape.heads, keyLength - valueLength);
    others.stride = m_buffers.mixedStride;
    others.first = plain;
    others.headStride = each;
    others.factors = factors;
    others.to = {heads * keyLength, valueLength, keyLength};
    return rotate(m_device, m_recorder, m_sizes, others, m_buffers.rotated);
}

// A value is the first numbers of its key.
Result<void> LayerRecorder::storeLatent(const infer::LatentQkvOp& op) {
    const infer::HeadShape& shape = op.shape;
    const DeviceBuffers::Cache& cache = m_buffers.caches[op.cache];
    WB_TRY(normRuns(op.keyNorm, m_buffers.keys, 1, shape.valueLength, {narrow(shape.keyLength), 0, 0}));
    RotateStep key = rotation(op.rope, m_buffers.keys, 1, shape.keyLength);
    key.begin = narrow(shape.valueLength);
    RotateStep value = rotation({}, m_buffers.keys, 1, shape.valueLength);
    value.stride = narrow(shape.keyLength);
    WB_TRY(rotate(m_device, m_recorder, m_sizes, storing(key, m_options.keys, positions()), cache.keys));
    return rotate(m_device, m_recorder, m_sizes, storing(value, m_options.values, positions()), cache.values);
}

// mixed[h] = W_h attended[h]
Result<void> LayerRecorder::operator()(const infer::HeadwiseOp& op) {
    // The results of a token's heads are side by side; the next token's are a row of `mixed` further.
    MultiplyStep product;
    product.outStride = narrow(op.rows());
    product.tokenStride = m_buffers.mixedStride;
    WB_TRY(prepareInput(firstInput(op)));
    return multiplyHeads(headStack(op), product, m_buffers.mixed);
}

// The tokens that each token of the batch sees
Result<void> LayerRecorder::operator()(const infer::IndexOp& op) {
    const infer::Linear none, &queries = op.fromCompressed ? none : op.q;
    WB_TRY(prepareInput(inputStep({.rows = m_buffers.x, .norm = normOpNorm(op.norm)}, {&op.k, &op.weights, &queries})));
    WB_TRY(store(op.k, m_buffers.indexKeys));
    if (op.weights) WB_TRY(store(op.weights, m_buffers.indexWeights));
    if (op.fromCompressed)
        WB_TRY(prepareInput(inputStep({.rows = m_buffers.compressed, .norm = normOpNorm(op.queryNorm)}, {&op.q})));
    WB_TRY(store(op.q, m_buffers.indexQueries));
    WB_TRY(normRuns(op.qNorm, m_buffers.indexQueries, op.heads, op.length));
    WB_TRY(rotate(m_device, m_recorder, m_sizes, rotation(op.rope, m_buffers.indexQueries, op.heads, op.length),
                  m_buffers.indexRotated));
    const DeviceBuffers::Blocks* const blocks = m_buffers.blocksOf(op);
    if (blocks) WB_TRY(storeBlockKeys(op, *blocks));
    else WB_TRY(storeIndexKeys(op));
    const infer::CacheShape& cache = m_graph.caches[op.cache];
    return selectTokens(m_device, m_recorder, m_sizes,
                        {.op = &op,
                         .queries = m_buffers.indexRotated,
                         .keys = m_buffers.caches[op.cache].keys,
                         .weights = op.weights ? &m_buffers.indexWeights : nullptr,
                         .type = keyType(cache, m_options),
                         .scores = m_buffers.scores,
                         .positions = narrow(cachedKeys(cache, m_options.context)),
                         .selectedStride = m_buffers.selectedStride},
                        m_buffers.selected, m_buffers.selectedCounts);
}

Result<void> LayerRecorder::storeIndexKeys(const infer::IndexOp& op) {
    WB_TRY(normRuns(op.kNorm, m_buffers.indexKeys, 1, op.length));
    const infer::CacheShape& cache = m_graph.caches[op.cache];
    const RotateStep key = rotation(op.rope, m_buffers.indexKeys, 1, op.length);
    return rotate(m_device, m_recorder, m_sizes, storing(key, keyType(cache, m_options), cachedKeys(cache, m_options.context)),
                  m_buffers.caches[op.cache].keys);
}

// The keys of blocks that are complete now are normed, rotated and stored like those of tokens, with the batch and angles of
// blocks.
Result<void> LayerRecorder::storeBlockKeys(const infer::IndexOp& op, const DeviceBuffers::Blocks& blocks) {
    const infer::CacheShape& cache = m_graph.caches[op.cache];
    const StepSizes sizes{blocks.batch, narrow((m_sizes.tokens + op.block - 1) / op.block)};
    WB_TRY(meanBlocks(m_device, m_recorder, m_sizes,
                      {.op = &op, .keys = m_buffers.indexKeys, .state = m_buffers.stateOf(*op.state)}, m_buffers.indexMeans));
    if (op.kNorm)
        WB_TRY(normRows(m_device, m_recorder, sizes,
                        {.rows = m_buffers.indexMeans, .norm = normOpNorm(op.kNorm), .count = narrow(op.length)}));
    RotateStep key = rotation(op.rope, m_buffers.indexMeans, 1, op.length);
    key.angles = blocks.angles;
    return rotate(m_device, m_recorder, sizes, storing(key, keyType(cache, m_options), cachedKeys(cache, m_options.context)),
                  m_buffers.caches[op.cache].keys);
}

} // namespace wb::gpu
