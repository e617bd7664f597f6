// SPDX-License-Identifier: MIT
#include "gpu/infer/layer_recorder.h"

#include <utility>

// The rows that operations multiply first.
namespace wb::gpu {

PrepareStep LayerRecorder::inputStep(PrepareStep step, std::initializer_list<const infer::Linear*> linears) const {
    std::vector<const DeviceMatrix*> matrices;
    for (const infer::Linear* const linear : linears)
        if (*linear) matrices.push_back(&m_buffers.weights.matrix(*linear));
    return inputStep(std::move(step), matrices);
}

PrepareStep LayerRecorder::inputStep(PrepareStep step, std::span<const DeviceMatrix* const> matrices) {
    const auto isCodes = [](const DeviceMatrix* matrix) { return matrix->layout->isCodes; };
    step.columns = narrow(matrices.front()->columns);
    step.codes = std::ranges::any_of(matrices, isCodes);
    step.floats = step.floats || !std::ranges::all_of(matrices, isCodes);
    return step;
}

PrepareStep LayerRecorder::firstInput(const infer::QkvOp& op) const {
    return inputStep({.rows = m_buffers.x, .norm = normOpNorm(op.norm)}, {&op.q, &op.k, &op.v});
}

PrepareStep LayerRecorder::firstInput(const infer::ResidualOp& op) const {
    PrepareStep input{.rows = m_buffers.hidden};
    if (op.input == infer::RowInput::Hidden && m_gate) {
        input.gates = &m_buffers.gates;
        input.activation = *m_gate;
    }
    if (op.input == infer::RowInput::Attended) input.rows = m_buffers.attended;
    if (op.input == infer::RowInput::Mixed) {
        input.rows = m_buffers.mixed;
        input.place = {m_buffers.mixedStride, narrow(op.first), 0};
    }
    return inputStep(std::move(input), {&op.linear});
}

PrepareStep LayerRecorder::firstInput(const infer::GateUpOp& op) const {
    return inputStep({.rows = m_buffers.x, .norm = normOpNorm(op.norm)}, {&op.gate, &op.up});
}

PrepareStep LayerRecorder::firstInput(const infer::RouteOp& op) const {
    return inputStep({.rows = m_buffers.x, .norm = normOpNorm(op.norm), .floats = bool(op.sharedGate)}, {&op.router});
}

std::optional<PrepareStep> LayerRecorder::nextInput() const {
    const auto ofOp = [this](const auto& op) -> std::optional<PrepareStep> {
        if constexpr (requires { this->firstInput(op); }) return firstInput(op);
        return std::nullopt;
    };
    return m_next ? std::visit(ofOp, *m_next) : std::nullopt;
}

// Matrices of floats read rows that do not change directly.
Result<void> LayerRecorder::prepareInput(const PrepareStep& step) {
    if (std::exchange(m_isReady, false)) return {};
    m_input = m_buffers.prepared;
    const bool isUnchanged = step.norm.kind == infer::NormKind::None && !step.gates && isDense(step.place) && !m_sizes.ofOutputs;
    if (step.codes || !isUnchanged) return prepare(m_device, m_recorder, m_sizes, step, m_input);
    m_input.floats = step.rows;
    return {};
}

} // namespace wb::gpu
