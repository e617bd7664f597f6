// SPDX-License-Identifier: MIT
#include "gpu/infer/layer_recorder.h"
#include "gpu/infer/stream_kernels.h"

// The operations of several residual streams and of n-gram embeddings.
namespace wb::gpu {

// Each stream apart, into other rows; the weights are those of all streams.
Result<void> LayerRecorder::normStreams(const infer::NormOp& norm, std::uint64_t streams, const View& rows, const RowPlace& place,
                                        const View& to, std::uint32_t toStride) {
    return normRows(m_device, m_recorder, m_sizes,
                    {.rows = rows,
                     .norm = normOpNorm(norm),
                     .runs = narrow(streams),
                     .count = narrow(m_graph.width),
                     .to = &to,
                     .toStride = toStride,
                     .place = place,
                     .ownWeights = true});
}

// x = mean of sigmoid(W_up silu(W_down normed / streams)) * normed; injection = 2 sigmoid(W_inject normed / streams)
Result<void> LayerRecorder::operator()(const infer::MixStreamsOp& op) {
    const float share = 1.0F / static_cast<float>(op.streams);
    WB_TRY(normStreams(op.norm, op.streams, m_buffers.streams, {}, m_buffers.normedStreams));
    WB_TRY(prepareInput(inputStep({.rows = m_buffers.normedStreams}, {&op.down, &op.inject})));
    MultiplyStep down = linearProduct(op.down, WB_ACTIVATE);
    down.scale = share;
    WB_TRY(run(down, m_buffers.streamRank));
    if (op.inject) {
        MultiplyStep injected = linearProduct(op.inject, WB_INJECT);
        injected.scale = share;
        WB_TRY(run(injected, m_buffers.injection));
    }
    WB_TRY(prepareInput(inputStep({.rows = m_buffers.streamRank}, {&op.up})));
    MultiplyStep up = linearProduct(op.up, WB_STORE);
    up.outStride = m_buffers.mixedStride;
    WB_TRY(run(up, m_buffers.mixed));
    return mixStreams(m_device, m_recorder, m_sizes,
                      {.rows = m_buffers.normedStreams,
                       .gates = m_buffers.mixed,
                       .width = narrow(m_graph.width),
                       .streams = narrow(op.streams),
                       .stride = m_buffers.mixedStride},
                      m_buffers.x);
}

// streams += injection * sum
Result<void> LayerRecorder::operator()(const infer::InjectOp& op) {
    WB_TRY(inject(
        m_device, m_recorder, m_sizes,
        {.row = m_buffers.sum, .factors = m_buffers.injection, .width = narrow(m_graph.width), .streams = narrow(op.streams)},
        m_buffers.streams));
    m_recorder.fill(m_buffers.sum, 0);
    return {};
}

// mixed = [outNorm(value); value], where a gate of each stream multiplies W_value e
Result<void> LayerRecorder::operator()(const infer::NgramOp& op) {
    const std::uint32_t width = narrow(m_graph.width), streams = narrow(op.streams), stride = m_buffers.mixedStride;
    WB_TRY(prepareInput(inputStep({.rows = m_buffers.ngrams}, {&op.key, &op.value})));
    WB_TRY(store(op.key, m_buffers.normedStreams));
    WB_TRY(store(op.value, m_buffers.branch));
    WB_TRY(normRows(
        m_device, m_recorder, m_sizes,
        {.rows = m_buffers.normedStreams, .norm = normOpNorm(op.keyNorm), .runs = streams, .count = width, .ownWeights = true}));
    WB_TRY(normStreams(op.queryNorm, op.streams, m_buffers.streams, {}, m_buffers.mixed, stride));
    WB_TRY(gateNgrams(
        m_device, m_recorder, m_sizes,
        {.keys = m_buffers.normedStreams, .value = m_buffers.branch, .width = width, .streams = streams, .stride = stride},
        m_buffers.mixed));
    return normStreams(op.outNorm, op.streams, m_buffers.mixed, {stride, streams * width, 0}, m_buffers.mixed, stride);
}

// streams += both halves of `mixed`
Result<void> LayerRecorder::operator()(const infer::AddNgramsOp& op) {
    const std::uint32_t all = narrow(op.streams * m_graph.width);
    for (const std::uint32_t first : {0u, all})
        WB_TRY(blend(m_device, m_recorder, m_sizes,
                     {.rows = m_buffers.streams,
                      .columns = all,
                      .other = &m_buffers.mixed,
                      .otherStride = m_buffers.mixedStride,
                      .otherFirst = first}));
    return {};
}

} // namespace wb::gpu
