// SPDX-License-Identifier: MIT
#include "gpu/infer/layer_recorder.h"

#include "gpu/shaders/infer/batch.h"

#include <array>

// The operations of transformers.
namespace wb::gpu {

Result<void> LayerRecorder::record(std::span<const infer::LayerOp> layer, const infer::LayerOp* after) {
    for (std::size_t i = 0; i < layer.size(); ++i) {
        m_next = i + 1 < layer.size() ? &layer[i + 1] : after;
        WB_TRY(std::visit([this](const auto& op) { return (*this)(op); }, layer[i]));
    }
    m_next = nullptr;
    return {};
}

// inputs[layer] = (norm(projectionScale * (W x)[layer]) + tableScale * table[token][layer]) * sumScale
Result<void> LayerRecorder::operator()(const infer::LayerInputsOp& op) {
    const infer::Linear projection{op.projection, {}};
    const View& inputs = m_buffers.layerInputs;
    WB_TRY(prepareInput(inputStep({.rows = m_buffers.embeddings}, {&projection})));
    MultiplyStep product = linearProduct(projection, WB_STORE);
    product.scale = op.projectionScale;
    WB_TRY(run(product, inputs));
    WB_TRY(normRows(
        m_device, m_recorder, m_sizes,
        {.rows = inputs, .norm = normOpNorm(op.norm), .runs = narrow(op.projection.count / op.each), .count = narrow(op.each)}));
    return blend(m_device, m_recorder, m_sizes,
                 {.rows = inputs,
                  .columns = narrow(op.projection.count),
                  .other = &m_buffers.layerTable,
                  .scale = op.tableScale,
                  .factor = op.sumScale});
}

// q, k, v = W norm(x) + b; q and k are normed and rotated, v is normed; k and v go into the cache. With gates the heads of q are in
// `mixed`, each before its gates.
Result<void> LayerRecorder::operator()(const infer::QkvOp& op) {
    const infer::HeadShape& shape = op.shape;
    const std::uint32_t length = narrow(shape.keyLength);
    const View& raw = op.gates ? m_buffers.mixed : m_buffers.queries;
    const RowPlace place = op.gates ? RowPlace{m_buffers.mixedStride, 0, 2 * length} : RowPlace{};
    WB_TRY(prepareInput(firstInput(op)));
    WB_TRY_ASSIGN(const bool isStored, projectHeads(op));
    if (isStored) return {};
    MultiplyStep product = linearProduct(op.q, WB_STORE);
    product.outStride = place.stride;
    WB_TRY(run(product, raw));
    if (op.k) {
        WB_TRY(store(op.k, m_buffers.keys));
        WB_TRY(store(op.v, m_buffers.values));
    }
    if (!op.normsAfterRope) WB_TRY(normQueries(op, raw, place));
    if (op.k) WB_TRY(normStored(op));
    const View* const factors = temperatureFactors(op.temperature);
    RotateStep queries = rotation(op.rope, raw, shape.heads, shape.keyLength);
    if (op.gates) {
        queries.stride = place.stride;
        queries.headStride = place.runStride;
    }
    const bool normsAfter = op.normsAfterRope && op.qNorm;
    queries.factors = normsAfter ? nullptr : factors;
    WB_TRY(rotate(m_device, m_recorder, m_sizes, queries, m_buffers.rotated));
    if (normsAfter) WB_TRY(normQueries(op, m_buffers.rotated, {}, factors));
    if (!op.k) return {};
    if (op.normsAfterRope) return storeNormedAfterRope(op);
    return storeAll(op, rotation(op.rope, m_buffers.keys, shape.kvHeads, shape.keyLength));
}

// attended = Σ softmax(softcap(scale * q · k)) * v
Result<void> LayerRecorder::operator()(const infer::AttendOp& op) {
    const std::uint64_t ofHead = positions() * std::max(keyBytes(op.shape), valueBytes(op.shape)),
                        ofScores = positions() * (op.shape.heads / op.shape.kvHeads) * sizeof(float);
    const std::uint64_t atOnce = std::min(m_device.info().viewBytes / ofHead, m_buffers.scores.bytes / ofScores);
    // Where the next operation multiplies codes of these rows, the heads encode themselves.
    const std::optional<PrepareStep> next = nextInput();
    const bool encodes =
        next && next->codes && !next->floats && isSame(next->rows, m_buffers.attended) && canEncodeHeads(op.shape.valueLength);
    const View* const codes = encodes ? &m_buffers.prepared.codes : nullptr;
    WB_TRY(
        forHeads(op.shape, atOnce, [&](std::uint32_t first, std::uint32_t heads) { return attendHeads(op, first, heads, codes); }));
    if (encodes) m_input = m_buffers.prepared;
    m_isReady = encodes;
    return {};
}

// x, or sum, += scale * norm(W input + b)
Result<void> LayerRecorder::operator()(const infer::ResidualOp& op) {
    WB_TRY(prepareInput(firstInput(op)));
    if (op.input == infer::RowInput::Hidden) m_gate.reset();
    const View* const gates = op.sharedGate ? &m_buffers.routed.gates : nullptr;
    if (!op.norm) {
        MultiplyStep product = linearProduct(op.linear, WB_ADD);
        product.scale = op.scale;
        product.factors = gates;
        return runThenPrepare(product, targetRows(op.target));
    }
    const NormStep added{.rows = m_buffers.branch,
                         .norm = normOpNorm(op.norm),
                         .count = narrow(op.linear.weight.count),
                         .x = &targetRows(op.target),
                         .factors = gates,
                         .scale = op.scale};
    return runThenPrepare(linearProduct(op.linear, WB_STORE), m_buffers.branch, &added);
}

// hidden = act(W_gate norm(x) + b) * (W_up norm(x) + b), or act(W_up norm(x) + b). Both products of the former are independent; the
// next operation takes them together.
Result<void> LayerRecorder::operator()(const infer::GateUpOp& op) {
    WB_TRY(prepareInput(firstInput(op)));
    WB_TRY_ASSIGN(const bool isPair, multiplyPair(op));
    if (isPair) return {};
    if (op.gate) {
        WB_TRY(store(op.gate, m_buffers.gates));
        m_gate = op.activation;
        return store(op.up, m_buffers.hidden);
    }
    MultiplyStep up = linearProduct(op.up, WB_ACTIVATE);
    up.activation = op.activation;
    return runThenPrepare(up, m_buffers.hidden);
}

// The experts of each token, their weights and the gate of the shared expert
Result<void> LayerRecorder::operator()(const infer::RouteOp& op) {
    WB_TRY(prepareInput(firstInput(op)));
    MultiplyStep logits = linearProduct(op.router, WB_STORE);
    logits.scale = op.logitScale;
    WB_TRY(run(logits, m_buffers.routerLogits));
    RouteStep step;
    step.logits = m_buffers.routerLogits;
    step.rows = m_input.floats;
    step.selectionBias = vector(op.selectionBias);
    step.gate = vector(op.sharedGate);
    step.expertScale = vector(op.expertScale);
    step.experts = narrow(op.experts);
    step.used = narrow(op.used);
    step.width = narrow(m_graph.width);
    step.gating = op.gating;
    step.normalizes = op.normalizes;
    step.groups = narrow(op.groups);
    step.groupsUsed = narrow(op.groupsUsed);
    step.scale = op.scale;
    return route(m_device, m_recorder, m_sizes, step, m_buffers.routed);
}

// expertOut[pair] = W_down (act(W_gate norm(x) + b) * (W_up norm(x) + b)) + b, or of act(W_up norm(x) + b)
Result<void> LayerRecorder::multiplyExperts(const infer::ExpertsOp& op) {
    const auto [gateStack, upStack, downStack] = expertStacks(op);
    const DeviceMatrix &up = m_buffers.weights.experts(upStack), &down = m_buffers.weights.experts(downStack);
    const DeviceMatrix* const gate = op.gate ? &m_buffers.weights.experts(gateStack) : nullptr;
    const ExpertColumns ofTokens{WB_EXPERTS_OF_TOKENS, m_buffers.routed.schedule, narrow(op.used)},
        ofPairs{WB_EXPERTS_OF_PAIRS, m_buffers.routed.schedule, narrow(op.used)};
    const View* const factors = op.scalesInputs ? &m_buffers.routed.weights : nullptr;
    WB_TRY(prepareInput(inputStep({.rows = m_buffers.x, .norm = normOpNorm(op.norm)}, std::array{gate ? gate : &up, &up})));
    if (gate) WB_TRY(run({.matrix = gate, .epilogue = WB_STORE, .factors = factors, .experts = ofTokens}, m_buffers.expertHidden));
    WB_TRY(run({.matrix = &up,
                .epilogue = static_cast<std::uint32_t>(gate ? WB_GATE : WB_ACTIVATE),
                .activation = op.activation,
                .factors = factors,
                .experts = ofTokens},
               m_buffers.expertHidden));
    WB_TRY(prepareInput(inputStep({.rows = m_buffers.expertHidden, .rowsOfToken = narrow(op.used)}, std::array{&down})));
    return run({.matrix = &down, .epilogue = WB_STORE, .experts = ofPairs}, m_buffers.expertOut);
}

// x, or sum, += scale * norm(Σ weight * result of the expert), or without the weights where they are in the inputs
Result<void> LayerRecorder::operator()(const infer::ExpertsOp& op) {
    WB_TRY(multiplyExperts(op));
    CombineStep results{m_buffers.expertOut, m_buffers.routed.weights, narrow(m_graph.width), narrow(op.used), op.scale,
                        !op.scalesInputs};
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
Result<void> LayerRecorder::operator()(const infer::AddSumOp& op) {
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
Result<void> LayerRecorder::operator()(const infer::LayerInputOp& op) {
    const infer::Linear gate{op.gate, {}};
    WB_TRY(prepareInput(inputStep({.rows = m_buffers.x}, {&gate})));
    MultiplyStep product = linearProduct(gate, WB_TIMES);
    product.activation = op.activation;
    product.factors = &m_buffers.layerInputs;
    product.factorStride = narrow(m_graph.layerInputs->projection.count);
    product.factorAt = narrow(op.layer * op.gate.count);
    return run(product, m_buffers.hidden);
}

// x *= factor
Result<void> LayerRecorder::operator()(const infer::ScaleOp& op) {
    return blend(m_device, m_recorder, m_sizes,
                 {.rows = m_buffers.x, .columns = narrow(m_graph.width), .storedFactor = vector(op.factor)});
}

// logits = softcap(scale * (W norm(x) + b))
Result<void> LayerRecorder::operator()(const infer::HeadOp& op, const View& logits) {
    WB_TRY(prepareInput(inputStep({.rows = m_buffers.x, .norm = normOpNorm(op.norm)}, {&op.output})));
    MultiplyStep product = linearProduct(op.output, WB_STORE);
    product.scale = op.scale;
    product.cap = op.softcap;
    return run(product, logits);
}

Result<void> LayerRecorder::normHidden(const infer::HeadOp& op) {
    return prepare(m_device, m_recorder, m_sizes,
                   {.rows = m_buffers.x, .norm = normOpNorm(op.norm), .columns = narrow(m_graph.width), .floats = true},
                   m_buffers.prepared);
}

Result<void> LayerRecorder::run(MultiplyStep step, const View& to) {
    step.fast = &m_fast;
    return multiply(m_device, m_recorder, m_sizes, step, m_input, to);
}

Result<void> LayerRecorder::normRuns(const infer::NormOp& norm, const View& rows, std::uint64_t runs, std::uint64_t count,
                                     const RowPlace& place, const View* factors) {
    if (!norm) return {};
    return normRows(
        m_device, m_recorder, m_sizes,
        {.rows = rows, .norm = normOpNorm(norm), .runs = narrow(runs), .count = narrow(count), .factors = factors, .place = place});
}

const View* LayerRecorder::temperatureFactors(const infer::Temperature& temperature) const {
    const auto found = std::ranges::find(m_buffers.temperatures, temperature, &DeviceBuffers::Factors::temperature);
    return found == m_buffers.temperatures.end() ? nullptr : &found->factors;
}

RotateStep LayerRecorder::rotation(const std::optional<std::uint32_t>& rope, const View& rows, std::uint64_t heads,
                                   std::uint64_t length) const {
    RotateStep step;
    step.rows = rows;
    step.angles = m_buffers.angles[rope.value_or(0)];
    step.heads = narrow(heads);
    step.stride = narrow(heads * length);
    step.length = narrow(length);
    if (rope) step.pairs = narrow(m_graph.ropes[*rope].dimensions / 2);
    step.halves = !rope || m_graph.ropes[*rope].halves;
    return step;
}

RotateStep LayerRecorder::storing(RotateStep step, infer::CacheType type, std::uint64_t cachePositions) const {
    step.stores = true;
    step.context = narrow(cachePositions);
    step.type = type;
    return step;
}

Result<void> LayerRecorder::normQueries(const infer::QkvOp& op, const View& rows, const RowPlace& place, const View* factors) {
    const std::uint64_t runs = op.normsWhole ? 1 : op.shape.heads;
    return normRuns(op.qNorm, rows, runs, op.shape.heads * op.shape.keyLength / runs, place, factors);
}

// Keys are rotated into the rows of the queries, which are free by now, and normed there.
Result<void> LayerRecorder::storeNormedAfterRope(const infer::QkvOp& op) {
    const infer::HeadShape& shape = op.shape;
    RotateStep keys = rotation(op.rope, m_buffers.keys, shape.kvHeads, shape.keyLength);
    WB_TRY(rotate(m_device, m_recorder, m_sizes, keys, m_buffers.queries));
    WB_TRY(normRuns(op.kNorm, m_buffers.queries, shape.kvHeads, shape.keyLength));
    keys.rows = m_buffers.queries;
    keys.pairs = 0;
    return storeAll(op, keys);
}

// Keys before their rotation, and values. None of the norms waits for another.
Result<void> LayerRecorder::normStored(const infer::QkvOp& op) {
    const infer::HeadShape& shape = op.shape;
    const std::uint64_t runs = op.normsWhole ? 1 : shape.kvHeads;
    if (!op.normsAfterRope) WB_TRY(normRuns(op.kNorm, m_buffers.keys, runs, shape.kvHeads * shape.keyLength / runs));
    return normRuns(op.vNorm, m_buffers.values, shape.kvHeads, shape.valueLength);
}

// Keys, which may still have to be rotated, and values.
Result<void> LayerRecorder::storeAll(const infer::QkvOp& op, const RotateStep& keys) {
    const infer::HeadShape& shape = op.shape;
    const std::uint64_t ofHead = positions() * std::max(keyBytes(shape), valueBytes(shape));
    return forHeads(shape, m_device.info().viewBytes / ofHead,
                    [&](std::uint32_t first, std::uint32_t heads) { return storeHeads(op, keys, first, heads); });
}

// Some heads of keys and values into the cache.
Result<void> LayerRecorder::storeHeads(const infer::QkvOp& op, const RotateStep& keys, std::uint32_t firstHead,
                                       std::uint32_t heads) {
    const DeviceBuffers::Cache& cache = m_buffers.caches[op.cache];
    const auto storeTo = [&](const RotateStep& from, infer::CacheType type, const View& to) {
        RotateStep step = storing(from, type, positions());
        step.heads = heads;
        step.firstHead = firstHead;
        return rotate(m_device, m_recorder, m_sizes, step, to);
    };
    WB_TRY(storeTo(keys, m_options.keys, cachePart(cache.keys, keyBytes(op.shape), firstHead, heads)));
    return storeTo(rotation({}, m_buffers.values, op.shape.kvHeads, op.shape.valueLength), m_options.values,
                   cachePart(cache.values, valueBytes(op.shape), firstHead, heads));
}

// Some heads of keys and values, with the queries that look at them.
Result<void> LayerRecorder::attendHeads(const infer::AttendOp& op, std::uint32_t firstHead, std::uint32_t heads,
                                        const View* codes) {
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
    step.chunked = op.chunked;
    step.scale = op.scale;
    step.cap = op.softcap;
    step.sinks = vector(op.sinks);
    step.codes = codes;
    if (op.selects) {
        step.selected = &m_buffers.selected;
        step.selectedCounts = &m_buffers.selectedCounts;
        step.selectedStride = m_buffers.selectedStride;
    }
    if (m_fast.attention && canAttendFast(m_sizes, step))
        return attendFast(m_device, m_recorder, m_sizes, step, m_buffers.fastAttention, m_buffers.attended);
    return attend(m_device, m_recorder, m_sizes, step, m_buffers.attended);
}

} // namespace wb::gpu
