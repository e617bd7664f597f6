// SPDX-License-Identifier: MIT
#include "gpu/infer/layer_recorder.h"

// The operations of recurrent layers and of gates.
namespace wb::gpu {

PrepareStep LayerRecorder::firstInput(const infer::ProjectOp& op) const {
    const auto& [m0, m1, m2, m3, m4, m5] = op.matrices;
    PrepareStep input{.rows = m_buffers.x, .norm = normOpNorm(op.norm)};
    if (op.from) {
        input = {.rows = m_buffers.mixed};
        input.place = {m_buffers.mixedStride, narrow(*op.from), 0};
    }
    return inputStep(std::move(input), {&m0, &m1, &m2, &m3, &m4, &m5});
}

// mixed = W norm(x) + b of each matrix, or W y + b of numbers in `mixed`
Result<void> LayerRecorder::operator()(const infer::ProjectOp& op) {
    WB_TRY(prepareInput(firstInput(op)));
    std::uint64_t first = op.first;
    for (const infer::Linear& linear : op.matrices) {
        if (!linear) break;
        MultiplyStep product = linearProduct(linear, WB_STORE);
        product.outStride = m_buffers.mixedStride;
        product.outFirst = narrow(first);
        WB_TRY(run(product, m_buffers.mixed));
        first += linear.weight.count;
    }
    return {};
}

Result<void> LayerRecorder::operator()(const infer::ConvOp& op) {
    return convolve(m_device, m_recorder, m_sizes,
                    {.op = &op,
                     .mixed = mixedRows(),
                     .kernel = *vector(op.kernel),
                     .state = m_buffers.stateOf(op.state),
                     .bias = vector(op.bias)});
}

Result<void> LayerRecorder::operator()(const infer::DeltaNetOp& op) {
    return applyDelta(m_device, m_recorder, m_sizes,
                      {.op = &op,
                       .mixed = mixedRows(),
                       .decay = *vector(op.decay),
                       .stepBias = *vector(op.stepBias),
                       .state = m_buffers.stateOf(op.state)},
                      m_buffers.attended);
}

Result<void> LayerRecorder::operator()(const infer::StateSpaceOp& op) {
    return applyStateSpace(m_device, m_recorder, m_sizes,
                           {.op = &op,
                            .mixed = mixedRows(),
                            .decay = *vector(op.decay),
                            .stepBias = *vector(op.stepBias),
                            .skip = *vector(op.skip),
                            .state = m_buffers.stateOf(op.state)},
                           m_buffers.attended);
}

Result<void> LayerRecorder::operator()(const infer::GateOp& op) {
    return gate(m_device, m_recorder, m_sizes, {.op = &op, .norm = normOpNorm(op.norm), .mixed = mixedRows()}, m_buffers.attended);
}

} // namespace wb::gpu
