// SPDX-License-Identifier: MIT
#include "gpu/infer/device_runner.h"
#include "gpu/shaders/infer/batch.h"

#include <algorithm>
#include <cmath>

// What a pass is recorded of: each stage of core/infer/graph.h, as steps of gpu/infer/kernels.h.
namespace wb::gpu {
namespace {

View partOf(const View& view, std::uint64_t offset, std::uint64_t bytes) { return {view.buffer, view.offset + offset, bytes}; }

std::uint32_t narrow(std::uint64_t count) { return static_cast<std::uint32_t>(count); }

} // namespace

Result<void> DeviceRunner::prepareFor(Recorder& recorder, const StepSizes& sizes, const View& rows, const View* norm,
                                      std::size_t columns, std::initializer_list<const DeviceMatrix*> matrices) {
    const auto isCodes = [](const DeviceMatrix* matrix) { return matrix->layout->isCodes; };
    PrepareStep step;
    step.rows = rows;
    step.norm = norm;
    step.epsilon = m_graph.spec.normEpsilon;
    step.columns = narrow(columns);
    step.codes = std::ranges::any_of(matrices, isCodes);
    step.floats = !std::ranges::all_of(matrices, isCodes);
    return prepare(*m_device, recorder, sizes, step, m_prepared);
}

Result<void> DeviceRunner::normQkv(Recorder& recorder, const StepSizes& sizes, std::size_t index) {
    const DeviceLayer& layer = m_weights.layers[index];
    WB_TRY(prepareFor(recorder, sizes, m_x, &layer.attentionNorm, width(), {&layer.q, &layer.k, &layer.v}));
    WB_TRY(multiply(*m_device, recorder, sizes, {&layer.q, WB_STORE}, m_prepared, m_queries));
    WB_TRY(multiply(*m_device, recorder, sizes, {&layer.k, WB_STORE}, m_prepared, m_keys));
    return multiply(*m_device, recorder, sizes, {&layer.v, WB_STORE}, m_prepared, m_values);
}

// The heads of keys and values from `firstHead` on, with the queries that look at them: no more than one binding holds.
Result<void> DeviceRunner::attendHeads(Recorder& recorder, const StepSizes& sizes, std::size_t index, std::uint32_t firstHead,
                                       std::uint32_t heads) {
    const arch::LayerSpec& layer = m_graph.spec.layers[index];
    const auto positions = narrow(cachedPositions(m_context)), group = narrow(layer.heads / layer.kvHeads);
    const auto keyLength = narrow(layer.keyLength), valueLength = narrow(layer.valueLength);
    const auto cachePart = [&](const View& cache, std::uint64_t bytesOfPosition) {
        const std::uint64_t headBytes = std::uint64_t{positions} * bytesOfPosition;
        return partOf(cache, firstHead * headBytes, heads * headBytes);
    };
    const View keys = cachePart(m_caches[index].keys, cachedBytes(m_keyType, keyLength)),
               values = cachePart(m_caches[index].values, cachedBytes(m_valueType, valueLength));
    const View& angles = m_angles[m_ropeOfLayer[index]];
    const auto pairs = narrow(layer.ropeDimensions / 2);
    const bool halves = m_graph.spec.rope.style != arch::RopeStyle::Adjacent;
    WB_TRY(rotate(*m_device, recorder, sizes,
                  {m_queries, angles, heads * group, firstHead * group, narrow(layer.heads * keyLength), keyLength, pairs, halves},
                  m_rotated));
    WB_TRY(rotate(
        *m_device, recorder, sizes,
        {m_keys, angles, heads, firstHead, narrow(layer.kvHeads * keyLength), keyLength, pairs, halves, true, positions, m_keyType},
        keys));
    WB_TRY(rotate(*m_device, recorder, sizes,
                  {m_values, angles, heads, firstHead, narrow(layer.kvHeads * valueLength), valueLength, 0, halves, true, positions,
                   m_valueType},
                  values));
    AttendStep step;
    step.queries = m_rotated;
    step.keys = keys;
    step.values = values;
    step.scores = m_scores;
    step.keyType = m_keyType;
    step.valueType = m_valueType;
    step.heads = narrow(layer.heads);
    step.firstHead = firstHead * group;
    step.count = heads * group;
    step.group = group;
    step.keyLength = keyLength;
    step.valueLength = valueLength;
    step.context = positions;
    step.window = narrow(layer.window);
    const float scale = m_graph.spec.attentionScale;
    step.scale = scale > 0 ? scale : 1.0F / std::sqrt(static_cast<float>(layer.keyLength));
    return attend(*m_device, recorder, sizes, step, m_attended);
}

Result<void> DeviceRunner::ropeAttention(Recorder& recorder, const StepSizes& sizes, std::size_t index) {
    const arch::LayerSpec& layer = m_graph.spec.layers[index];
    const std::uint64_t ofPosition = std::max(cachedBytes(m_keyType, layer.keyLength), cachedBytes(m_valueType, layer.valueLength)),
                        ofScores = layer.heads / layer.kvHeads * sizeof(float);
    const std::uint64_t positions = cachedPositions(m_context);
    const std::uint64_t atOnce = std::clamp<std::uint64_t>(
        std::min(m_device->info().viewBytes / (positions * ofPosition), m_scores.bytes / (positions * ofScores)), 1, layer.kvHeads);
    for (std::uint64_t head = 0; head < layer.kvHeads; head += atOnce)
        WB_TRY(attendHeads(recorder, sizes, index, narrow(head), narrow(std::min(atOnce, layer.kvHeads - head))));
    return {};
}

Result<void> DeviceRunner::outResidual(Recorder& recorder, const StepSizes& sizes, std::size_t index) {
    const DeviceLayer& layer = m_weights.layers[index];
    WB_TRY(prepareFor(recorder, sizes, m_attended, nullptr, layer.out.columns, {&layer.out}));
    return multiply(*m_device, recorder, sizes, {&layer.out, WB_ADD, m_graph.spec.residualScale}, m_prepared, m_x);
}

Result<void> DeviceRunner::normGateUp(Recorder& recorder, const StepSizes& sizes, std::size_t index) {
    const DeviceLayer& layer = m_weights.layers[index];
    WB_TRY(prepareFor(recorder, sizes, m_x, &layer.feedForwardNorm, width(), {&layer.gate, &layer.up}));
    WB_TRY(multiply(*m_device, recorder, sizes, {&layer.gate, WB_STORE}, m_prepared, m_hidden));
    return multiply(*m_device, recorder, sizes, {&layer.up, WB_GATE}, m_prepared, m_hidden);
}

Result<void> DeviceRunner::downResidual(Recorder& recorder, const StepSizes& sizes, std::size_t index) {
    const DeviceLayer& layer = m_weights.layers[index];
    WB_TRY(prepareFor(recorder, sizes, m_hidden, nullptr, layer.down.columns, {&layer.down}));
    return multiply(*m_device, recorder, sizes, {&layer.down, WB_ADD, m_graph.spec.residualScale}, m_prepared, m_x);
}

void DeviceRunner::copyHidden(Recorder& recorder, const PassKind& kind, std::size_t layer, const View& rows) {
    if (!kind.hidden) return;
    const std::uint64_t each = deviceBatch * width() * sizeof(float);
    const std::uint64_t bytes = kind.tokens() * width() * sizeof(float);
    recorder.copy(partOf(rows, 0, bytes), m_hiddenBack->view((layer - m_first) * each, bytes));
}

Result<void> DeviceRunner::head(Recorder& recorder, const PassKind& kind) {
    if (kind.hidden) {
        PrepareStep step{m_x, &m_weights.outputNorm, m_graph.spec.normEpsilon, narrow(width()), true, false};
        WB_TRY(prepare(*m_device, recorder, {m_batch, kind.tokens()}, step, m_prepared));
        copyHidden(recorder, kind, layers(), m_prepared.floats);
    }
    if (kind.outputs == 0) return {};
    const StepSizes sizes{m_batch, kind.outputs, true};
    WB_TRY(prepareFor(recorder, sizes, m_x, &m_weights.outputNorm, width(), {&m_weights.output}));
    const std::uint64_t bytes = std::uint64_t{kind.outputs} * vocabulary() * sizeof(float);
    const View logits = partOf(m_logits, 0, bytes);
    WB_TRY(multiply(*m_device, recorder, sizes, {&m_weights.output, WB_STORE}, m_prepared, logits));
    recorder.copy(logits, m_logitsBack->view(0, bytes));
    return {};
}

Result<void> DeviceRunner::recordStage(Recorder& recorder, const PassKind& kind, const infer::Stage& stage) {
    using enum infer::StageKind;
    const StepSizes sizes{m_batch, kind.tokens()};
    switch (stage.kind) {
    case NormQkv: return normQkv(recorder, sizes, stage.layer);
    case RopeAttention: return ropeAttention(recorder, sizes, stage.layer);
    case OutResidual: return outResidual(recorder, sizes, stage.layer);
    case NormGateUp: return normGateUp(recorder, sizes, stage.layer);
    case DownResidual: return downResidual(recorder, sizes, stage.layer);
    case Head: return head(recorder, kind);
    default: break;
    }
    return fail(ErrorCode::Internal, Reason("infer.device_stage"),
                WB_TEXT("The graphics device was given a stage that it does not compute; this is a defect of the program."));
}

void DeviceRunner::recordUpload(Recorder& recorder, const PassKind& kind) {
    recorder.copy(m_batchUpload->view(0, m_batch.bytes), m_batch);
    const std::uint64_t x = kind.tokens() * width() * sizeof(float);
    recorder.copy(m_xUpload->view(0, x), partOf(m_x, 0, x));
    for (std::size_t r = 0; r < m_angles.size(); ++r) recorder.copy(m_anglesUpload[r]->view(0, m_angles[r].bytes), m_angles[r]);
    copyHidden(recorder, kind, m_first, m_x);
}

Result<DeviceRunner::Pieces> DeviceRunner::record(const PassKind& kind) {
    Pieces pieces;
    std::optional<Recorder> recorder(std::in_place, m_device, Replay::Yes);
    recordUpload(*recorder, kind);
    for (const infer::Stage& stage : m_graph.stages) {
        if (stage.kind != infer::StageKind::Head && stage.layer < m_first) continue;
        WB_TRY(recordStage(*recorder, kind, stage));
        if (stage.kind != infer::StageKind::DownResidual) continue;
        if (stage.layer + 1 < layers()) copyHidden(*recorder, kind, stage.layer + 1, m_x);
        if (kind.single) continue;
        WB_TRY_ASSIGN(Recording piece, recorder->finish());
        pieces.push_back(std::move(piece));
        recorder.emplace(m_device, Replay::Yes);
    }
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
