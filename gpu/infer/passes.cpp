// SPDX-License-Identifier: MIT
#include "gpu/infer/device_runner.h"
#include "gpu/shaders/infer/batch.h"

#include <algorithm>

// The parts of a recorded pass: each operation of core/infer/operations.h as steps of gpu/infer/kernels.h. For the supported
// operations see support.cpp.
namespace wb::gpu {
namespace {

View partOf(const View& view, std::uint64_t offset, std::uint64_t bytes) { return {view.buffer, view.offset + offset, bytes}; }

std::uint32_t narrow(std::uint64_t count) { return static_cast<std::uint32_t>(count); }

// Records the operations of a layer for a pass.
class LayerRecorder {
public:
    LayerRecorder(Device& device, Recorder& recorder, const DeviceBuffers& buffers, const infer::Graph& graph,
                  const infer::EngineOptions& options, const StepSizes& sizes)
        : m_device(device), m_recorder(recorder), m_buffers(buffers), m_graph(graph), m_options(options), m_sizes(sizes) {}

    // q, k, v = W norm(x) + b; rotated, keys and values into the cache
    Result<void> operator()(const infer::QkvOp& op) {
        WB_TRY(prepareNormed(op.norm, {&op.q, &op.k, &op.v}));
        WB_TRY(multiplyBy(op.q, WB_STORE, m_buffers.queries));
        WB_TRY(multiplyBy(op.k, WB_STORE, m_buffers.keys));
        WB_TRY(multiplyBy(op.v, WB_STORE, m_buffers.values));
        RotateStep queries = rotation(op, m_buffers.queries, op.shape.heads, op.shape.keyLength);
        queries.heads = narrow(op.shape.heads);
        WB_TRY(rotate(m_device, m_recorder, m_sizes, queries, m_buffers.rotated));
        const std::uint64_t ofHead = positions() * std::max(keyBytes(op.shape), valueBytes(op.shape));
        return forHeads(op.shape, m_device.info().viewBytes / ofHead,
                        [&](std::uint32_t first, std::uint32_t heads) { return store(op, first, heads); });
    }

    // attended = Σ softmax(scale * q · k) * v
    Result<void> operator()(const infer::AttendOp& op) {
        const std::uint64_t ofHead = positions() * std::max(keyBytes(op.shape), valueBytes(op.shape)),
                            ofScores = positions() * (op.shape.heads / op.shape.kvHeads) * sizeof(float);
        const std::uint64_t atOnce = std::min(m_device.info().viewBytes / ofHead, m_buffers.scores.bytes / ofScores);
        return forHeads(op.shape, atOnce, [&](std::uint32_t first, std::uint32_t heads) { return attendHeads(op, first, heads); });
    }

    // x += scale * (W input + b)
    Result<void> operator()(const infer::ResidualOp& op) {
        const bool isAttended = op.input == infer::RowInput::Attended;
        WB_TRY(prepareRows(isAttended ? m_buffers.attended : m_buffers.hidden, nullptr, 0, {&op.linear}));
        return multiplyBy(op.linear, WB_ADD, m_buffers.x, op.scale);
    }

    // hidden = silu(W_gate norm(x) + b) * (W_up norm(x) + b)
    Result<void> operator()(const infer::GateUpOp& op) {
        WB_TRY(prepareNormed(op.norm, {&op.gate, &op.up}));
        WB_TRY(multiplyBy(op.gate, WB_STORE, m_buffers.hidden));
        return multiplyBy(op.up, WB_GATE, m_buffers.hidden);
    }

    // logits = W norm(x) + b
    Result<void> operator()(const infer::HeadOp& op, const View& logits) {
        WB_TRY(prepareNormed(op.norm, {&op.output}));
        return multiplyBy(op.output, WB_STORE, logits);
    }

    Result<void> operator()(const auto&) {
        return fail(ErrorCode::Internal, Reason("infer.device_operation"),
                    WB_TEXT("The GPU was given an operation that it does not support; this is a defect of the program."));
    }

private:
    std::uint64_t positions() const { return cachedPositions(m_options.context); }
    std::uint64_t keyBytes(const infer::HeadShape& shape) const { return cachedBytes(m_options.keys, shape.keyLength); }
    std::uint64_t valueBytes(const infer::HeadShape& shape) const { return cachedBytes(m_options.values, shape.valueLength); }

    Result<void> prepareNormed(const infer::NormOp& norm, std::initializer_list<const infer::Linear*> matrices) {
        return prepareRows(m_buffers.x, m_buffers.weights.vector(norm.weight), norm.epsilon, matrices);
    }

    Result<void> prepareRows(const View& rows, const View* norm, float epsilon,
                             std::initializer_list<const infer::Linear*> matrices) {
        const auto isCodes = [this](const infer::Linear* linear) { return m_buffers.weights.matrix(*linear).layout->isCodes; };
        PrepareStep step;
        step.rows = rows;
        step.norm = norm;
        step.epsilon = epsilon;
        step.columns = narrow(m_buffers.weights.matrix(**matrices.begin()).columns);
        step.codes = std::ranges::any_of(matrices, isCodes);
        step.floats = !std::ranges::all_of(matrices, isCodes);
        return prepare(m_device, m_recorder, m_sizes, step, m_buffers.prepared);
    }

    Result<void> multiplyBy(const infer::Linear& linear, std::uint32_t epilogue, const View& to, float scale = 1) {
        return multiply(m_device, m_recorder, m_sizes, {&m_buffers.weights.matrix(linear), epilogue, scale}, m_buffers.prepared,
                        to);
    }

    // Calls of(first, heads) for heads of keys, as many at once as a binding holds.
    template <class Of>
    static Result<void> forHeads(const infer::HeadShape& shape, std::uint64_t atOnce, Of of) {
        atOnce = std::clamp<std::uint64_t>(atOnce, 1, shape.kvHeads);
        for (std::uint64_t head = 0; head < shape.kvHeads; head += atOnce)
            WB_TRY(of(narrow(head), narrow(std::min(atOnce, shape.kvHeads - head))));
        return {};
    }

    // Of all heads of a row.
    RotateStep rotation(const infer::QkvOp& op, const View& rows, std::uint64_t heads, std::uint64_t length) const {
        RotateStep step;
        step.rows = rows;
        step.angles = m_buffers.angles[op.rope.value_or(0)];
        step.stride = narrow(heads * length);
        step.length = narrow(length);
        if (op.rope) step.pairs = narrow(m_graph.ropes[*op.rope].dimensions / 2);
        step.halves = !op.rope || m_graph.ropes[*op.rope].halves;
        return step;
    }

    View cachePart(const View& cache, std::uint64_t bytesOfPosition, std::uint32_t firstHead, std::uint32_t heads) const {
        const std::uint64_t headBytes = positions() * bytesOfPosition;
        return partOf(cache, firstHead * headBytes, heads * headBytes);
    }

    // Some heads of keys and values into the cache.
    Result<void> store(const infer::QkvOp& op, std::uint32_t firstHead, std::uint32_t heads) {
        const DeviceBuffers::Cache& cache = m_buffers.caches[op.cache];
        const auto storeTo = [&](RotateStep step, infer::CacheType type, const View& to) {
            step.heads = heads;
            step.firstHead = firstHead;
            step.stores = true;
            step.context = narrow(positions());
            step.type = type;
            return rotate(m_device, m_recorder, m_sizes, step, to);
        };
        const RotateStep keys = rotation(op, m_buffers.keys, op.shape.kvHeads, op.shape.keyLength);
        RotateStep values = rotation(op, m_buffers.values, op.shape.kvHeads, op.shape.valueLength);
        values.pairs = 0;
        WB_TRY(storeTo(keys, m_options.keys, cachePart(cache.keys, keyBytes(op.shape), firstHead, heads)));
        return storeTo(values, m_options.values, cachePart(cache.values, valueBytes(op.shape), firstHead, heads));
    }

    // Some heads of keys and values, with the queries that look at them.
    Result<void> attendHeads(const infer::AttendOp& op, std::uint32_t firstHead, std::uint32_t heads) {
        const DeviceBuffers::Cache& cache = m_buffers.caches[op.cache];
        AttendStep step;
        step.queries = m_buffers.rotated;
        step.keys = cachePart(cache.keys, keyBytes(op.shape), firstHead, heads);
        step.values = cachePart(cache.values, valueBytes(op.shape), firstHead, heads);
        step.scores = m_buffers.scores;
        step.keyType = m_options.keys;
        step.valueType = m_options.values;
        step.heads = narrow(op.shape.heads);
        step.group = narrow(op.shape.heads / op.shape.kvHeads);
        step.firstHead = firstHead * step.group;
        step.count = heads * step.group;
        step.keyLength = narrow(op.shape.keyLength);
        step.valueLength = narrow(op.shape.valueLength);
        step.context = narrow(positions());
        step.window = narrow(op.window);
        step.scale = op.scale;
        return attend(m_device, m_recorder, m_sizes, step, m_buffers.attended);
    }

    Device& m_device;
    Recorder& m_recorder;
    const DeviceBuffers& m_buffers;
    const infer::Graph& m_graph;
    const infer::EngineOptions& m_options;
    const StepSizes m_sizes;
};

} // namespace

void DeviceRunner::copyHidden(Recorder& recorder, const PassKind& kind, std::size_t layer, const View& rows) {
    if (!kind.hidden) return;
    const std::uint64_t each = deviceBatch * width() * sizeof(float);
    const std::uint64_t bytes = kind.tokens() * width() * sizeof(float);
    recorder.copy(partOf(rows, 0, bytes), m_hiddenBack->view((layer - m_first) * each, bytes));
}

Result<void> DeviceRunner::recordHead(Recorder& recorder, const PassKind& kind) {
    const infer::HeadOp& op = *m_graph.head;
    if (kind.hidden) {
        const PrepareStep step{m_buffers.x, m_buffers.weights.vector(op.norm.weight), op.norm.epsilon, narrow(width()), true,
                               false};
        WB_TRY(prepare(*m_device, recorder, {m_buffers.batch, kind.tokens()}, step, m_buffers.prepared));
        copyHidden(recorder, kind, layers(), m_buffers.prepared.floats);
    }
    if (kind.outputs == 0) return {};
    const std::uint64_t bytes = std::uint64_t{kind.outputs} * vocabulary() * sizeof(float);
    const View logits = partOf(m_logits, 0, bytes);
    LayerRecorder outputs(*m_device, recorder, m_buffers, m_graph, m_options, {m_buffers.batch, kind.outputs, true});
    WB_TRY(outputs(op, logits));
    recorder.copy(logits, m_logitsBack->view(0, bytes));
    return {};
}

void DeviceRunner::recordUpload(Recorder& recorder, const PassKind& kind) {
    recorder.copy(m_batchUpload->view(0, m_buffers.batch.bytes), m_buffers.batch);
    const std::uint64_t x = kind.tokens() * width() * sizeof(float);
    recorder.copy(m_xUpload->view(0, x), partOf(m_buffers.x, 0, x));
    for (std::size_t r = 0; r < m_anglesUpload.size(); ++r)
        recorder.copy(m_anglesUpload[r]->view(0, m_buffers.angles[r].bytes), m_buffers.angles[r]);
    copyHidden(recorder, kind, m_first, m_buffers.x);
}

Result<DeviceRunner::Pieces> DeviceRunner::record(const PassKind& kind) {
    Pieces pieces;
    std::optional<Recorder> recorder(std::in_place, m_device, Replay::Yes);
    recordUpload(*recorder, kind);
    for (std::size_t layer = m_first; layer < layers(); ++layer) {
        LayerRecorder operations(*m_device, *recorder, m_buffers, m_graph, m_options, {m_buffers.batch, kind.tokens()});
        for (const infer::LayerOp& op : m_graph.layers[layer])
            WB_TRY(std::visit([&](const auto& of) { return operations(of); }, op));
        if (layer + 1 < layers()) copyHidden(*recorder, kind, layer + 1, m_buffers.x);
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

Result<const DeviceRunner::Pieces*> DeviceRunner::piecesOf(const PassKind& kind) {
    auto found = m_pieces.find(kind);
    if (found == m_pieces.end()) {
        WB_TRY_ASSIGN(Pieces pieces, record(kind));
        found = m_pieces.emplace(kind, std::move(pieces)).first;
    }
    return &found->second;
}

} // namespace wb::gpu
