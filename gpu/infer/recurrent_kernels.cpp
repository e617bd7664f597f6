// SPDX-License-Identifier: MIT
#include "gpu/infer/recurrent_kernels.h"

#include "gpu/shaders/infer/batch.h"
#include "gpu/shaders/infer_convolve.spv.h"
#include "gpu/shaders/infer_delta.spv.h"
#include "gpu/shaders/infer_delta_inputs.spv.h"
#include "gpu/shaders/infer_gate.spv.h"
#include "gpu/shaders/infer_state_space.spv.h"

#include <algorithm>
#include <cmath>

namespace wb::gpu {
namespace {

static_assert(infer::ConvOp::maxWidth == WB_MAX_TAPS);

constexpr std::uint32_t rowsOfGroup = WB_LANES / 16; // heads or rows of a state that a workgroup deals with

std::uint32_t narrow32(std::uint64_t count) { return static_cast<std::uint32_t>(count); }
std::uint32_t placeOrNone(const std::optional<std::uint64_t>& place) { return place ? narrow32(*place) : WB_NO_PLACE; }

// The numbers of heads, as shaders take them.
struct PushedNumbers {
    explicit PushedNumbers(const infer::HeadNumbers& numbers)
        : first(narrow32(numbers.first)), group(narrow32(numbers.group)), stride(narrow32(numbers.stride)) {}

    std::uint32_t first, group, stride;
};

} // namespace

Result<void> convolve(Device& device, Recorder& recorder, const StepSizes& sizes, const ConvStep& step) {
    struct Push {
        std::uint32_t stride, first, channels, dilation, inputGates, outputGates;
    };
    const infer::ConvOp& op = *step.op;
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    const std::uint32_t activation = op.activation ? static_cast<std::uint32_t>(*op.activation) : WB_NO_PLACE;
    WB_TRY_ASSIGN(const KernelPtr kernel, device.kernel({"infer_convolve",
                                                         shaders::infer_convolve,
                                                         5,
                                                         sizeof(Push),
                                                         {narrow32(op.width), step.bias != nullptr, activation, fuses}}));
    recorder.dispatch(kernel,
                      {reads(sizes.batch), updates(step.mixed.rows), reads(step.kernel), reads(viewOr(step.bias, sizes.batch)),
                       updates(step.state)},
                      Push{step.mixed.stride, narrow32(op.first), narrow32(op.channels), narrow32(op.dilation),
                           placeOrNone(op.inputGates), placeOrNone(op.outputGates)},
                      {groupsFor(op.channels, WB_LANES), std::min(narrow32(op.dilation), sizes.tokens)});
    return {};
}

Result<void> applyDelta(Device& device, Recorder& recorder, const StepSizes& sizes, const DeltaNetStep& step,
                        const View& attended) {
    struct InputsPush {
        std::uint32_t stride, queries, keys, keyHeads, valueHeads, keyLength;
        PushedNumbers alpha, beta;
        float epsilon, scale;
    };
    struct Push {
        std::uint32_t stride, queries, keys, values, keyHeads, valueHeads, keyLength, valueLength;
        PushedNumbers alpha, beta;
    };
    const infer::DeltaNetOp& op = *step.op;
    const auto queries = narrow32(op.queries), keys = narrow32(op.keys), keyHeads = narrow32(op.keyHeads),
               valueHeads = narrow32(op.valueHeads), keyLength = narrow32(op.keyLength);
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    WB_TRY_ASSIGN(
        const KernelPtr inputs,
        device.kernel({"infer_delta_inputs", shaders::infer_delta_inputs, 4, sizeof(InputsPush), {op.channelDecays, fuses}}));
    WB_TRY_ASSIGN(const KernelPtr rule,
                  device.kernel({"infer_delta", shaders::infer_delta, 4, sizeof(Push), {op.channelDecays, op.tiled, fuses}}));
    recorder.dispatch(inputs, {reads(sizes.batch), updates(step.mixed.rows), reads(step.decay), reads(step.stepBias)},
                      InputsPush{step.mixed.stride, queries, keys, keyHeads, valueHeads, keyLength, PushedNumbers(op.alpha),
                                 PushedNumbers(op.beta), op.epsilon, 1.0F / std::sqrt(static_cast<float>(op.keyLength))},
                      {groupsFor(2 * op.keyHeads + op.valueHeads, rowsOfGroup), sizes.tokens});
    recorder.dispatch(rule, {reads(sizes.batch), reads(step.mixed.rows), updates(step.state), writes(attended)},
                      Push{step.mixed.stride, queries, keys, narrow32(op.values), keyHeads, valueHeads, keyLength,
                           narrow32(op.valueLength), PushedNumbers(op.alpha), PushedNumbers(op.beta)},
                      {groupsFor(op.valueHeads * op.valueLength, rowsOfGroup)});
    return {};
}

Result<void> applyStateSpace(Device& device, Recorder& recorder, const StepSizes& sizes, const StateSpaceStep& step,
                             const View& attended) {
    struct Push {
        std::uint32_t stride, values, inputs, outputs, steps, heads, groups, valueLength, stateLength;
    };
    const infer::StateSpaceOp& op = *step.op;
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    WB_TRY_ASSIGN(const KernelPtr kernel,
                  device.kernel({"infer_state_space", shaders::infer_state_space, 7, sizeof(Push), {fuses}}));
    recorder.dispatch(kernel,
                      {reads(sizes.batch), reads(step.mixed.rows), updates(step.state), reads(step.decay), reads(step.stepBias),
                       reads(step.skip), writes(attended)},
                      Push{step.mixed.stride, narrow32(op.values), narrow32(op.inputs), narrow32(op.outputs), narrow32(op.steps),
                           narrow32(op.heads), narrow32(op.groups), narrow32(op.valueLength), narrow32(op.stateLength)},
                      {groupsFor(op.heads * op.valueLength, rowsOfGroup)});
    return {};
}

Result<void> gate(Device& device, Recorder& recorder, const StepSizes& sizes, const GateStep& step, const View& attended) {
    struct Push {
        std::uint32_t count;
        float epsilon;
        std::uint32_t stride, first, headStride;
    };
    const infer::GateOp& op = *step.op;
    const DeviceNorm& norm = step.norm;
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    WB_TRY_ASSIGN(const KernelPtr kernel,
                  device.kernel({"infer_gate",
                                 shaders::infer_gate,
                                 5,
                                 sizeof(Push),
                                 {static_cast<std::uint32_t>(norm.kind), norm.weight != nullptr, norm.bias != nullptr,
                                  op.ownWeights, op.gatesFirst, op.kind == infer::GateKind::Silu, fuses}}));
    recorder.dispatch(kernel,
                      {reads(sizes.batch), updates(attended), reads(viewOr(norm.weight, sizes.batch)),
                       reads(viewOr(norm.bias, sizes.batch)), reads(step.mixed.rows)},
                      Push{narrow32(op.length), norm.epsilon, step.mixed.stride, narrow32(op.first), narrow32(op.stride)},
                      {narrow32(op.heads), sizes.tokens});
    return {};
}

} // namespace wb::gpu
