// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/operations.h"
#include "gpu/infer/kernels.h"

// The shaders of recurrent layers and of gates (core/infer/graph/operations.h), as steps of a recording like those of kernels.h.
// Null views: the operation has none.
namespace wb::gpu {

// Where `mixed` is, and how far one token's row is from the next one's.
struct MixedRows {
    View rows;
    std::uint32_t stride = 0;
};

struct ConvStep {
    const infer::ConvOp* op = nullptr;
    MixedRows mixed;
    View kernel, state; // [channels][width]; [dilation][width - 1][channels]
    const View* bias = nullptr;
};
Result<void> convolve(Device& device, Recorder& recorder, const StepSizes& sizes, const ConvStep& step);

struct DeltaNetStep {
    const infer::DeltaNetOp* op = nullptr;
    MixedRows mixed; // queries, keys, alphas and betas are replaced by what the rule uses
    View decay, stepBias, state;
};
Result<void> applyDelta(Device& device, Recorder& recorder, const StepSizes& sizes, const DeltaNetStep& step, const View& attended);

struct StateSpaceStep {
    const infer::StateSpaceOp* op = nullptr;
    MixedRows mixed;
    View decay, stepBias, skip, state;
};
Result<void> applyStateSpace(Device& device, Recorder& recorder, const StepSizes& sizes, const StateSpaceStep& step,
                             const View& attended);

// In place.
struct GateStep {
    const infer::GateOp* op = nullptr;
    DeviceNorm norm;
    MixedRows mixed;
};
Result<void> gate(Device& device, Recorder& recorder, const StepSizes& sizes, const GateStep& step, const View& attended);

} // namespace wb::gpu
