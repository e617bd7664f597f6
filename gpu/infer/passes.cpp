// SPDX-License-Identifier: MIT
#include "gpu/infer/device_runner.h"
#include "gpu/shaders/infer/batch.h"

#include <algorithm>

// The parts of a recorded pass: each operation of core/infer/operations.h as steps of gpu/infer/kernels.h. For the supported
// operations see support.cpp.
namespace wb::gpu {
namespace {

View viewPart(const View& view, std::uint64_t offset, std::uint64_t bytes) { return {view.buffer, view.offset + offset, bytes}; }

std::uint32_t narrow(std::uint64_t count) { return static_cast<std::uint32_t>(count); }

// Records the operations of a layer for a pass.
class LayerRecorder {
public:
    LayerRecorder(Device& device, Recorder& recorder, const DeviceBuffers& buffers, const infer::Graph& graph,
                  const infer::EngineOptions& options, const FastTypes& fast, const StepSizes& sizes)
        : m_device(device), m_recorder(recorder), m_buffers(buffers), m_graph(graph), m_options(options), m_fast(fast),
          m_sizes(sizes) {}

    // inputs[layer] = (norm(projectionScale * (W x)[layer]) + tableScale * table[token][layer]) * sumScale
    Result<void> operator()(const infer::LayerInputsOp& op) {
        const infer::Linear projection{op.projection, {}};
        const View& inputs = m_buffers.layerInputs;
        WB_TRY(prepareRows(m_buffers.embeddings, {}, {&projection}));
        MultiplyStep product = linearProduct(projection, WB_STORE);
        product.scale = op.projectionScale;
        WB_TRY(run(product, inputs));
        WB_TRY(normRows(m_device, m_recorder, m_sizes,
                        {.rows = inputs,
                         .norm = normOpNorm(op.norm),
                         .runs = narrow(op.projection.count / op.each),
                         .count = narrow(op.each)}));
        return blend(m_device, m_recorder, m_sizes,
                     {.rows = inputs,
                      .columns = narrow(op.projection.count),
                      .other = &m_buffers.layerTable,
                      .scale = op.tableScale,
                      .factor = op.sumScale});
    }

    // q, k, v = W norm(x) + b; q and k are normed and rotated, v is normed; k and v go into the cache
    Result<void> operator()(const infer::QkvOp& op) {
        const infer::HeadShape& shape = op.shape;
        WB_TRY(prepareRows(m_buffers.x, normOpNorm(op.norm), {&op.q, &op.k, &op.v}));
        WB_TRY(run(linearProduct(op.q, WB_STORE), m_buffers.queries));
        if (op.k) {
            WB_TRY(run(linearProduct(op.k, WB_STORE), m_buffers.keys));
            WB_TRY(run(linearProduct(op.v, WB_STORE), m_buffers.values));
        }
        if (!op.normsAfterRope) WB_TRY(normQueries(op, m_buffers.queries));
        RotateStep queries = rotation(op, m_buffers.queries, shape.heads, shape.keyLength);
        queries.heads = narrow(shape.heads);
        queries.factors = qkvOpTemperature(op);
        WB_TRY(rotate(m_device, m_recorder, m_sizes, queries, m_buffers.rotated));
        if (op.normsAfterRope) WB_TRY(normQueries(op, m_buffers.rotated));
        if (!op.k) return {};
        if (op.normsAfterRope) return storeNormedAfterRope(op);
        WB_TRY(normHeads(op.kNorm, m_buffers.keys, op.normsWhole ? 1 : shape.kvHeads, shape.kvHeads * shape.keyLength));
        return storeAll(op, rotation(op, m_buffers.keys, shape.kvHeads, shape.keyLength));
    }

    // attended = Σ softmax(softcap(scale * q · k)) * v
    Result<void> operator()(const infer::AttendOp& op) {
        const std::uint64_t ofHead = positions() * std::max(keyBytes(op.shape), valueBytes(op.shape)),
                            ofScores = positions() * (op.shape.heads / op.shape.kvHeads) * sizeof(float);
        const std::uint64_t atOnce = std::min(m_device.info().viewBytes / ofHead, m_buffers.scores.bytes / ofScores);
        return forHeads(op.shape, atOnce, [&](std::uint32_t first, std::uint32_t heads) { return attendHeads(op, first, heads); });
    }

    // x, or sum, += scale * norm(W input + b)
    Result<void> operator()(const infer::ResidualOp& op) {
        const bool isAttended = op.input == infer::RowInput::Attended;
        const View* const gates = op.sharedGate ? &m_buffers.routed.gates : nullptr;
        WB_TRY(prepareRows(isAttended ? m_buffers.attended : m_buffers.hidden, {}, {&op.linear}));
        if (!op.norm) {
            MultiplyStep product = linearProduct(op.linear, WB_ADD);
            product.scale = op.scale;
            product.factors = gates;
            return run(product, targetRows(op.target));
        }
        WB_TRY(run(linearProduct(op.linear, WB_STORE), m_buffers.branch));
        return normRows(m_device, m_recorder, m_sizes,
                        {.rows = m_buffers.branch,
                         .norm = normOpNorm(op.norm),
                         .count = narrow(op.linear.weight.count),
                         .x = &targetRows(op.target),
                         .factors = gates,
                         .scale = op.scale});
    }

    // hidden = act(W_gate norm(x) + b) * (W_up norm(x) + b), or act(W_up norm(x) + b)
    Result<void> operator()(const infer::GateUpOp& op) {
        WB_TRY(prepareRows(m_buffers.x, normOpNorm(op.norm), {&op.gate, &op.up}));
        if (op.gate) WB_TRY(run(linearProduct(op.gate, WB_STORE), m_buffers.hidden));
        MultiplyStep up = linearProduct(op.up, op.gate ? WB_GATE : WB_ACTIVATE);
        up.activation = op.activation;
        return run(up, m_buffers.hidden);
    }

    // The experts of each token, their weights and the gate of the shared expert
    Result<void> operator()(const infer::RouteOp& op) {
        WB_TRY(prepareRows(m_buffers.x, normOpNorm(op.norm), {&op.router}, bool(op.sharedGate)));
        MultiplyStep logits = linearProduct(op.router, WB_STORE);
        logits.scale = op.logitScale;
        WB_TRY(run(logits, m_buffers.routerLogits));
        RouteStep step;
        step.logits = m_buffers.routerLogits;
        step.rows = m_buffers.prepared.floats;
        step.selectionBias = m_buffers.weights.vector(op.selectionBias);
        step.gate = m_buffers.weights.vector(op.sharedGate);
        step.expertScale = m_buffers.weights.vector(op.expertScale);
        step.experts = narrow(op.experts);
        step.used = narrow(op.used);
        step.width = narrow(m_graph.width);
        step.gating = op.gating;
        step.normalizes = op.normalizes;
        step.scale = op.scale;
        return route(m_device, m_recorder, m_sizes, step, m_buffers.routed);
    }

    // x, or sum, += scale * norm(Σ weight * (W_down (act(W_gate norm(x) + b) * (W_up norm(x) + b)) + b))
    Result<void> operator()(const infer::ExpertsOp& op) {
        const auto [gateStack, upStack, downStack] = expertStacks(op);
        const DeviceMatrix &gate = m_buffers.weights.experts(gateStack), &up = m_buffers.weights.experts(upStack),
                           &down = m_buffers.weights.experts(downStack);
        const ExpertColumns ofTokens{WB_EXPERTS_OF_TOKENS, m_buffers.routed.schedule, narrow(op.used)},
            ofPairs{WB_EXPERTS_OF_PAIRS, m_buffers.routed.schedule, narrow(op.used)};
        WB_TRY(prepareFor({&gate, &up}, {.rows = m_buffers.x, .norm = normOpNorm(op.norm)}));
        WB_TRY(run({.matrix = &gate, .epilogue = WB_STORE, .experts = ofTokens}, m_buffers.expertHidden));
        WB_TRY(run({.matrix = &up, .epilogue = WB_GATE, .activation = op.activation, .experts = ofTokens}, m_buffers.expertHidden));
        WB_TRY(prepareFor({&down}, {.rows = m_buffers.expertHidden, .rowsOfToken = narrow(op.used)}));
        WB_TRY(run({.matrix = &down, .epilogue = WB_STORE, .experts = ofPairs}, m_buffers.expertOut));
        CombineStep results{m_buffers.expertOut, m_buffers.routed.weights, narrow(m_graph.width), narrow(op.used), op.scale};
        if (!op.outNorm) return combine(m_device, m_recorder, m_sizes, results, targetRows(op.target));
        results.scale = 1;
        m_recorder.fill(m_buffers.branch, 0);
        WB_TRY(combine(m_device, m_recorder, m_sizes, results, m_buffers.branch));
        return normRows(m_device, m_recorder, m_sizes,
                        {.rows = m_buffers.branch,
                         .norm = normOpNorm(op.outNorm),
                         .count = narrow(m_graph.width),
                         .x = &targetRows(op.target),
                         .scale = op.scale});
    }

    // x += scale * norm(sum)
    Result<void> operator()(const infer::AddSumOp& op) {
        WB_TRY(normRows(m_device, m_recorder, m_sizes,
                        {.rows = m_buffers.sum,
                         .norm = normOpNorm(op.norm),
                         .count = narrow(m_graph.width),
                         .x = &m_buffers.x,
                         .scale = op.scale}));
        m_recorder.fill(m_buffers.sum, 0);
        return {};
    }

    // hidden = act(W x) * inputs[layer]
    Result<void> operator()(const infer::LayerInputOp& op) {
        const infer::Linear gate{op.gate, {}};
        WB_TRY(prepareRows(m_buffers.x, {}, {&gate}));
        MultiplyStep product = linearProduct(gate, WB_TIMES);
        product.activation = op.activation;
        product.factors = &m_buffers.layerInputs;
        product.factorStride = narrow(m_graph.layerInputs->projection.count);
        product.factorAt = narrow(op.layer * op.gate.count);
        return run(product, m_buffers.hidden);
    }

    // x *= factor
    Result<void> operator()(const infer::ScaleOp& op) {
        return blend(m_device, m_recorder, m_sizes,
                     {.rows = m_buffers.x, .columns = narrow(m_graph.width), .storedFactor = m_buffers.weights.vector(op.factor)});
    }

    // logits = softcap(scale * (W norm(x) + b))
    Result<void> operator()(const infer::HeadOp& op, const View& logits) {
        WB_TRY(prepareRows(m_buffers.x, normOpNorm(op.norm), {&op.output}));
        MultiplyStep product = linearProduct(op.output, WB_STORE);
        product.scale = op.scale;
        product.cap = op.softcap;
        return run(product, logits);
    }

    Result<void> operator()(const auto&) {
        return fail(ErrorCode::Internal, Reason("infer.device_operation"),
                    WB_TEXT("The GPU was given an operation that it does not support; this is a defect of the program."));
    }

    // The hidden states after the last layer, as `prepared.floats`.
    Result<void> normHidden(const infer::HeadOp& op) {
        return prepare(m_device, m_recorder, m_sizes,
                       {.rows = m_buffers.x, .norm = normOpNorm(op.norm), .columns = narrow(m_graph.width), .floats = true},
                       m_buffers.prepared);
    }

private:
    std::uint64_t positions() const { return cachedPositions(m_options.context); }
    std::uint64_t keyBytes(const infer::HeadShape& shape) const { return cachedBytes(m_options.keys, shape.keyLength); }
    std::uint64_t valueBytes(const infer::HeadShape& shape) const { return cachedBytes(m_options.values, shape.valueLength); }

    DeviceNorm normOpNorm(const infer::NormOp& op) const {
        return {op.kind, m_buffers.weights.vector(op.weight), m_buffers.weights.vector(op.bias), op.epsilon};
    }

    const View& targetRows(infer::RowTarget target) const { return target == infer::RowTarget::X ? m_buffers.x : m_buffers.sum; }

    // The input of matrices; absent ones are skipped.
    Result<void> prepareRows(const View& rows, const DeviceNorm& norm, std::initializer_list<const infer::Linear*> linears,
                             bool alsoFloats = false) {
        std::vector<const DeviceMatrix*> matrices;
        for (const infer::Linear* const linear : linears)
            if (*linear) matrices.push_back(&m_buffers.weights.matrix(*linear));
        return prepareFor(matrices, {.rows = rows, .norm = norm, .floats = alsoFloats});
    }

    Result<void> prepareFor(const std::vector<const DeviceMatrix*>& matrices, PrepareStep step) {
        const auto isCodes = [](const DeviceMatrix* matrix) { return matrix->layout->isCodes; };
        step.columns = narrow(matrices.front()->columns);
        step.codes = std::ranges::any_of(matrices, isCodes);
        step.floats = step.floats || !std::ranges::all_of(matrices, isCodes);
        return prepare(m_device, m_recorder, m_sizes, step, m_buffers.prepared);
    }

    MultiplyStep linearProduct(const infer::Linear& linear, std::uint32_t epilogue) const {
        return {.matrix = &m_buffers.weights.matrix(linear), .epilogue = epilogue};
    }

    Result<void> run(MultiplyStep step, const View& to) {
        step.fast = &m_fast;
        return multiply(m_device, m_recorder, m_sizes, step, m_buffers.prepared, to);
    }

    // Rows of `columns` numbers as `runs` runs.
    Result<void> normHeads(const infer::NormOp& norm, const View& rows, std::uint64_t runs, std::uint64_t columns) {
        if (!norm) return {};
        return normRows(m_device, m_recorder, m_sizes,
                        {.rows = rows, .norm = normOpNorm(norm), .runs = narrow(runs), .count = narrow(columns / runs)});
    }

    // Null: queries keep their size.
    const View* qkvOpTemperature(const infer::QkvOp& op) const {
        const auto found = std::ranges::find(m_buffers.temperatures, op.temperature, &DeviceBuffers::Factors::temperature);
        return found == m_buffers.temperatures.end() ? nullptr : &found->factors;
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
        return viewPart(cache, firstHead * headBytes, heads * headBytes);
    }

    Result<void> normQueries(const infer::QkvOp& op, const View& rows) {
        return normHeads(op.qNorm, rows, op.normsWhole ? 1 : op.shape.heads, op.shape.heads * op.shape.keyLength);
    }

    // Keys are rotated into the rows of the queries, which are free by now, and normed there.
    Result<void> storeNormedAfterRope(const infer::QkvOp& op) {
        const infer::HeadShape& shape = op.shape;
        RotateStep keys = rotation(op, m_buffers.keys, shape.kvHeads, shape.keyLength);
        keys.heads = narrow(shape.kvHeads);
        WB_TRY(rotate(m_device, m_recorder, m_sizes, keys, m_buffers.queries));
        WB_TRY(normHeads(op.kNorm, m_buffers.queries, shape.kvHeads, shape.kvHeads * shape.keyLength));
        keys.rows = m_buffers.queries;
        keys.pairs = 0;
        return storeAll(op, keys);
    }

    // Keys, which may still have to be rotated, and values, which are normed first.
    Result<void> storeAll(const infer::QkvOp& op, const RotateStep& keys) {
        const infer::HeadShape& shape = op.shape;
        WB_TRY(normHeads(op.vNorm, m_buffers.values, shape.kvHeads, shape.kvHeads * shape.valueLength));
        const std::uint64_t ofHead = positions() * std::max(keyBytes(shape), valueBytes(shape));
        return forHeads(shape, m_device.info().viewBytes / ofHead,
                        [&](std::uint32_t first, std::uint32_t heads) { return store(op, keys, first, heads); });
    }

    // Some heads of keys and values into the cache.
    Result<void> store(const infer::QkvOp& op, const RotateStep& keys, std::uint32_t firstHead, std::uint32_t heads) {
        const DeviceBuffers::Cache& cache = m_buffers.caches[op.cache];
        const auto storeTo = [&](RotateStep step, infer::CacheType type, const View& to) {
            step.heads = heads;
            step.firstHead = firstHead;
            step.stores = true;
            step.context = narrow(positions());
            step.type = type;
            return rotate(m_device, m_recorder, m_sizes, step, to);
        };
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
        step.cap = op.softcap;
        step.sinks = m_buffers.weights.vector(op.sinks);
        return attend(m_device, m_recorder, m_sizes, step, m_buffers.attended);
    }

    Device& m_device;
    Recorder& m_recorder;
    const DeviceBuffers& m_buffers;
    const infer::Graph& m_graph;
    const infer::EngineOptions& m_options;
    const FastTypes& m_fast;
    const StepSizes m_sizes;
};

} // namespace

void DeviceRunner::copyHidden(Recorder& recorder, const PassKind& kind, std::size_t layer, const View& rows) {
    if (!kind.hidden) return;
    const std::uint64_t each = deviceBatch * width() * sizeof(float);
    const std::uint64_t bytes = kind.tokens() * width() * sizeof(float);
    recorder.copy(viewPart(rows, 0, bytes), m_hiddenBack->view((layer - m_first) * each, bytes));
}

Result<void> DeviceRunner::recordHead(Recorder& recorder, const PassKind& kind) {
    const infer::HeadOp& op = *m_graph.head;
    if (kind.hidden) {
        LayerRecorder rows(*m_device, recorder, m_buffers, m_graph, m_options, m_fast, {m_buffers.batch, kind.tokens()});
        WB_TRY(rows.normHidden(op));
        copyHidden(recorder, kind, layers(), m_buffers.prepared.floats);
    }
    if (kind.outputs == 0) return {};
    const std::uint64_t bytes = std::uint64_t{kind.outputs} * vocabulary() * sizeof(float);
    const View logits = viewPart(m_logits, 0, bytes);
    LayerRecorder outputs(*m_device, recorder, m_buffers, m_graph, m_options, m_fast, {m_buffers.batch, kind.outputs, true});
    WB_TRY(outputs(op, logits));
    recorder.copy(logits, m_logitsBack->view(0, bytes));
    return {};
}

void DeviceRunner::recordUpload(Recorder& recorder, const PassKind& kind) {
    recorder.copy(m_batchUpload->view(0, m_buffers.batch.bytes), m_buffers.batch);
    const std::uint64_t x = kind.tokens() * width() * sizeof(float);
    recorder.copy(m_xUpload->view(0, x), viewPart(m_buffers.x, 0, x));
    for (std::size_t r = 0; r < m_anglesUpload.size(); ++r)
        recorder.copy(m_anglesUpload[r]->view(0, m_buffers.angles[r].bytes), m_buffers.angles[r]);
    for (std::size_t i = 0; i < m_factorsUpload.size(); ++i)
        recorder.copy(m_factorsUpload[i]->view(0, m_buffers.temperatures[i].factors.bytes), m_buffers.temperatures[i].factors);
    if (m_tableUpload) {
        const std::uint64_t table = kind.tokens() * m_graph.layerInputs->projection.count * sizeof(float);
        recorder.copy(m_embeddingsUpload->view(0, x), viewPart(m_buffers.embeddings, 0, x));
        recorder.copy(m_tableUpload->view(0, table), viewPart(m_buffers.layerTable, 0, table));
    }
    if (m_buffers.sum.bytes > 0) recorder.fill(m_buffers.sum, 0);
    copyHidden(recorder, kind, m_first, m_buffers.x);
}

Result<DeviceRunner::Pieces> DeviceRunner::record(const PassKind& kind) {
    Pieces pieces;
    std::optional<Recorder> recorder(std::in_place, m_device, Replay::Yes);
    recordUpload(*recorder, kind);
    const StepSizes sizes{m_buffers.batch, kind.tokens()};
    if (m_tableUpload)
        WB_TRY(LayerRecorder(*m_device, *recorder, m_buffers, m_graph, m_options, m_fast, sizes)(*m_graph.layerInputs));
    for (std::size_t layer = m_first; layer < layers(); ++layer) {
        LayerRecorder operations(*m_device, *recorder, m_buffers, m_graph, m_options, m_fast, sizes);
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

Result<const DeviceRunner::Pieces*> DeviceRunner::passPieces(const PassKind& kind) {
    auto found = m_pieces.find(kind);
    if (found == m_pieces.end()) {
        WB_TRY_ASSIGN(Pieces pieces, record(kind));
        found = m_pieces.emplace(kind, std::move(pieces)).first;
    }
    return &found->second;
}

} // namespace wb::gpu
