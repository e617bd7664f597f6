// SPDX-License-Identifier: MIT
#include "gpu/infer/device_runner.h"
#include "gpu/infer/layer_recorder.h"
#include "gpu/infer/next_token.h"
#include "gpu/shaders/infer/batch.h"

#include <algorithm>

// The recordings of passes: what is uploaded, the operations of the layers (layer_recorder.h), the head.
namespace wb::gpu {

void DeviceRunner::copyHidden(Recorder& recorder, const PassKind& kind, std::size_t layer, const View& rows) {
    if (!kind.hidden) return;
    const std::uint64_t each = deviceBatch * inputWidth() * sizeof(float);
    const std::uint64_t bytes = kind.tokens() * hiddenWidth(layer) * sizeof(float);
    recorder.copy(viewPart(rows, 0, bytes), m_hiddenBack->view((layer - m_first) * each, bytes));
}

Result<void> DeviceRunner::recordHead(Recorder& recorder, const PassKind& kind) {
    const infer::HeadOp& op = *m_graph.head;
    LayerRecorder rows(*m_device, recorder, m_buffers, m_graph, m_options, m_fast, {m_buffers.batch, kind.tokens()});
    if (op.mix && (kind.hidden || kind.outputs > 0)) WB_TRY(rows(*op.mix));
    if (kind.hidden) {
        WB_TRY(rows.normHidden(op));
        copyHidden(recorder, kind, layers(), m_buffers.prepared.floats);
    }
    if (kind.outputs == 0) return {};
    const std::uint64_t bytes = std::uint64_t{kind.outputs} * vocabulary() * sizeof(float);
    const View logits = viewPart(m_logits, 0, bytes);
    LayerRecorder outputs(*m_device, recorder, m_buffers, m_graph, m_options, m_fast, {m_buffers.batch, kind.outputs, true});
    WB_TRY(outputs(op, logits));
    if (kind.ranked == 0) {
        recorder.copy(logits, m_logitsBack->view(0, bytes));
        return {};
    }
    WB_TRY_ASSIGN(const View ranked, rank(*m_device, recorder, logits, narrow(vocabulary()), kind.ranked, m_rankingRoom->view()));
    const BufferPtr& back = m_hostBuffers[kind.ahead].rankedBack;
    recorder.copy(ranked, back->view(0, ranked.bytes));
    recorder.copy(ranked, m_candidates->view(0, ranked.bytes));
    if (kind.ahead > 0) recorder.copy(m_drawn->view(0, tokenBytes), back->view(m_candidates->bytes(), tokenBytes));
    return {};
}

void DeviceRunner::recordUpload(Recorder& recorder, const PassKind& kind) {
    const HostBuffers& host = m_hostBuffers[kind.ahead];
    recorder.copy(host.batch->view(0, m_buffers.batch.bytes), m_buffers.batch);
    const View& input = m_graph.streams > 0 ? m_buffers.streams : m_buffers.x;
    const std::uint64_t x = kind.tokens() * inputWidth() * sizeof(float);
    if (kind.ahead == 0) recorder.copy(m_xUpload->view(0, x), viewPart(input, 0, x));
    for (std::size_t r = 0; r < host.angles.size(); ++r)
        recorder.copy(host.angles[r]->view(0, m_buffers.angles[r].bytes), m_buffers.angles[r]);
    for (std::size_t i = 0; i < host.factors.size(); ++i)
        recorder.copy(host.factors[i]->view(0, m_buffers.temperatures[i].factors.bytes), m_buffers.temperatures[i].factors);
    if (m_tableUpload) {
        const std::uint64_t table = kind.tokens() * m_graph.layerInputs->projection.count * sizeof(float);
        recorder.copy(m_embeddingsUpload->view(0, x), viewPart(m_buffers.embeddings, 0, x));
        recorder.copy(m_tableUpload->view(0, table), viewPart(m_buffers.layerTable, 0, table));
    }
    if (m_ngramsUpload) recorder.copy(m_ngramsUpload->view(0, m_buffers.ngrams.bytes), m_buffers.ngrams);
    for (std::size_t i = 0; i < m_blocksUpload.size(); ++i) {
        recorder.copy(m_blocksUpload[i].batch->view(0, m_buffers.blocks[i].batch.bytes), m_buffers.blocks[i].batch);
        recorder.copy(m_blocksUpload[i].angles->view(0, m_buffers.blocks[i].angles.bytes), m_buffers.blocks[i].angles);
    }
    if (m_buffers.sum.bytes > 0) recorder.fill(m_buffers.sum, 0);
    if (m_fast.followUps) recorder.fill(m_buffers.counters, 0);
    if (m_fast.attention) recorder.fill(m_buffers.fastAttention.counters, 0);
    copyHidden(recorder, kind, m_first, input);
}

Result<DeviceRunner::Pieces> DeviceRunner::record(const PassKind& kind) {
    Pieces pieces;
    std::optional<Recorder> recorder(std::in_place, m_device, Replay::Yes);
    recordUpload(*recorder, kind);
    if (kind.ahead > 0) WB_TRY(recordDrawn(*recorder));
    const StepSizes sizes{m_buffers.batch, kind.tokens()};
    if (m_tableUpload)
        WB_TRY(LayerRecorder(*m_device, *recorder, m_buffers, m_graph, m_options, m_fast, sizes)(*m_graph.layerInputs));
    LayerRecorder operations(*m_device, *recorder, m_buffers, m_graph, m_options, m_fast, sizes);
    for (std::size_t layer = m_first; layer < layers(); ++layer) {
        const bool isFollowed = kind.single && layer + 1 < layers() && !m_graph.layers[layer + 1].empty();
        WB_TRY(operations.record(m_graph.layers[layer], isFollowed ? &m_graph.layers[layer + 1].front() : nullptr));
        if (layer + 1 < layers()) copyHidden(*recorder, kind, layer + 1, m_graph.streams > 0 ? m_buffers.streams : m_buffers.x);
        if (kind.single) continue;
        WB_TRY_ASSIGN(Recording piece, recorder->finish());
        pieces.push_back(std::move(piece));
        recorder.emplace(m_device, Replay::Yes);
    }
    WB_TRY(recordHead(*recorder, kind));
    WB_TRY_ASSIGN(Recording piece, recorder->finish());
    pieces.push_back(std::move(piece));
    return pieces;
}

Result<const DeviceRunner::Pieces*> DeviceRunner::passPieces(const PassKind& kind) {
    auto found = m_pieces.find(kind);
    if (found == m_pieces.end()) {
        WB_TRY_ASSIGN(Pieces pieces, record(kind));
        found = m_pieces.emplace(kind, std::move(pieces)).first;
    }
    return &found->second;
}

} // namespace wb::gpu
