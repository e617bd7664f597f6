// SPDX-License-Identifier: MIT
#include "core/infer/graph/lower_state_space.h"

#include "core/infer/graph/lower_recurrent.h"

namespace wb::infer {
namespace {

// `mixed` of a layer: gates; values, inputs and outputs, which are convolved; time steps.
StateSpaceOp layerShape(const arch::RecurrentSpec& r) {
    StateSpaceOp op;
    op.heads = r.steps;
    op.groups = r.groups;
    op.valueLength = r.inner / r.steps;
    op.stateLength = r.state;
    op.values = r.inner;
    op.inputs = op.values + r.inner;
    op.outputs = op.inputs + r.groups * r.state;
    op.steps = op.outputs + r.groups * r.state;
    return op;
}

} // namespace

Result<LayerOp> lowerStateSpaceProjection(const TensorFinder& tensors, const arch::ModelSpec& spec, const std::string& prefix,
                                          const NormOp& norm) {
    const StateSpaceOp shape = layerShape(spec.recurrent);
    const std::uint64_t rows = shape.steps + shape.heads;
    ProjectOp op;
    op.norm = norm;
    WB_TRY_ASSIGN(op.matrices[0].weight, tensors.needSlice(prefix + "ssm_in.weight", {rows, spec.width}));
    WB_TRY_ASSIGN(op.matrices[0].bias, tensors.findSlice(prefix + "ssm_in.bias", {rows}));
    return op;
}

Result<std::vector<LayerOp>> lowerStateSpace(const TensorFinder& tensors, const arch::ModelSpec& spec, const std::string& prefix,
                                             std::vector<StateShape>& states) {
    const std::uint64_t inner = spec.recurrent.inner;
    StateSpaceOp space = layerShape(spec.recurrent);
    ConvOp conv;
    conv.first = space.values;
    conv.channels = space.steps - space.values;
    conv.width = spec.recurrent.convolution;
    conv.activation = Activation::Silu;
    conv.state = addState(states, conv.width - 1, conv.channels);
    WB_TRY_ASSIGN(conv.kernel, tensors.needNumbers(prefix + "ssm_conv1d.weight", {conv.channels, conv.width}));
    WB_TRY_ASSIGN(conv.bias, tensors.findSlice(prefix + "ssm_conv1d.bias", {conv.channels}));
    WB_TRY_ASSIGN(space.decay, tensors.needNumbers(prefix + "ssm_a", {space.heads}));
    WB_TRY_ASSIGN(space.stepBias, tensors.needNumbers(prefix + "ssm_dt.bias", {space.heads}));
    WB_TRY_ASSIGN(space.skip, tensors.needNumbers(prefix + "ssm_d", {space.heads}));
    space.state = addState(states, space.heads * space.valueLength, space.stateLength);
    GateOp gate;
    gate.kind = GateKind::Silu;
    gate.heads = space.groups;
    gate.length = gate.stride = inner / space.groups;
    gate.gatesFirst = gate.ownWeights = true;
    if (tensors.has(prefix + "ssm_norm.weight")) { // some models of Falcon-H1 have none
        gate.norm = {NormKind::Rms, spec.normEpsilon, {}, {}};
        WB_TRY_ASSIGN(gate.norm.weight, tensors.needNumbers(prefix + "ssm_norm.weight", {gate.heads, gate.length}));
    }
    ResidualOp out{.input = RowInput::Attended, .linear = {}, .norm = {}, .scale = spec.residualScale};
    WB_TRY_ASSIGN(out.linear.weight, tensors.needSlice(prefix + "ssm_out.weight", {spec.width, inner}));
    WB_TRY_ASSIGN(out.linear.bias, tensors.findSlice(prefix + "ssm_out.bias", {spec.width}));
    return std::vector<LayerOp>{conv, space, gate, out};
}

} // namespace wb::infer
