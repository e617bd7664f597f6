// SPDX-License-Identifier: MIT
#include "core/infer/graph/lower_recurrent.h"

#include "core/arch/family.h"

namespace wb::infer {
namespace {

class DeltaNetLowering {
public:
    DeltaNetLowering(const TensorFinder& tensors, const arch::ModelSpec& spec, const std::string& prefix,
                     std::vector<StateShape>& states)
        : m_tensors(tensors), m_spec(spec), m_prefix(prefix), m_states(states) {
        const arch::RecurrentSpec& r = spec.recurrent;
        m_delta.keyHeads = r.groups;
        m_delta.valueHeads = r.steps;
        m_delta.keyLength = r.state;
        m_delta.valueLength = r.inner / r.steps;
        m_delta.tiled = spec.family && spec.family->tiledHeads;
        m_delta.epsilon = lengthEpsilon;
        m_delta.keys = r.groups * r.state;
        m_delta.values = 2 * m_delta.keys;
        m_channels = m_delta.values + r.inner;
    }

    Result<std::vector<LayerOp>> lower(const NormOp& norm) {
        WB_TRY(addProjections(norm));
        WB_TRY(addConvolution());
        WB_TRY(addDeltaRule());
        WB_TRY(addGate());
        ResidualOp out{.input = RowInput::Attended, .linear = {}, .norm = {}, .scale = m_spec.residualScale};
        WB_TRY_ASSIGN(out.linear.weight, m_tensors.needSlice(name("ssm_out.weight"), {m_spec.width, m_spec.recurrent.inner}));
        m_ops.emplace_back(out);
        return std::move(m_ops);
    }

private:
    std::string name(const char* rest) const { return m_prefix + rest; }

    // mixed: queries, keys and values; the gates; the betas and alphas, whose rows some files store in one matrix, those of the
    // value heads of a key head next to each other.
    Result<void> addProjections(const NormOp& norm) {
        const std::uint64_t width = m_spec.width, inner = m_spec.recurrent.inner, heads = m_delta.valueHeads;
        const std::uint64_t steps = m_channels + inner, group = heads / m_delta.keyHeads;
        ProjectOp op;
        op.norm = norm;
        WB_TRY_ASSIGN(op.matrices[0].weight, m_tensors.needSlice(name("attn_qkv.weight"), {m_channels, width}));
        WB_TRY_ASSIGN(op.matrices[1].weight, m_tensors.needSlice(name("attn_gate.weight"), {inner, width}));
        if (m_tensors.has(name("ssm_ba.weight"))) {
            WB_TRY_ASSIGN(op.matrices[2].weight, m_tensors.needSlice(name("ssm_ba.weight"), {2 * heads, width}));
            m_delta.beta = {steps, group, 2 * group};
            m_delta.alpha = {steps + group, group, 2 * group};
        } else {
            WB_TRY_ASSIGN(op.matrices[2].weight, m_tensors.needSlice(name("ssm_beta.weight"), {heads, width}));
            WB_TRY_ASSIGN(op.matrices[3].weight, m_tensors.needSlice(name("ssm_alpha.weight"), {heads, width}));
            m_delta.beta = {steps, heads, heads};
            m_delta.alpha = {steps + heads, heads, heads};
        }
        m_ops.emplace_back(op);
        return {};
    }

    Result<void> addConvolution() {
        const std::uint64_t taps = m_spec.recurrent.convolution;
        WB_TRY_ASSIGN(const TensorInfo* const kernel, m_tensors.need(name("ssm_conv1d.weight"), {m_channels, taps}));
        ConvOp op;
        op.channels = m_channels;
        op.width = taps;
        op.kernel = {kernel, 0, m_channels * taps};
        op.activation = Activation::Silu;
        op.state = addState(m_states, taps - 1, m_channels);
        m_ops.emplace_back(op);
        return {};
    }

    Result<void> addDeltaRule() {
        WB_TRY_ASSIGN(m_delta.decay, m_tensors.needSlice(name("ssm_a"), {m_delta.valueHeads}));
        WB_TRY_ASSIGN(m_delta.stepBias, m_tensors.needSlice(name("ssm_dt.bias"), {m_delta.valueHeads}));
        m_delta.state = addState(m_states, m_delta.valueHeads * m_delta.valueLength, m_delta.keyLength);
        m_ops.emplace_back(m_delta);
        return {};
    }

    Result<void> addGate() {
        GateOp op;
        op.kind = m_spec.family && m_spec.family->sigmoidDeltaGate ? GateKind::Sigmoid : GateKind::Silu;
        op.heads = m_delta.valueHeads;
        op.length = op.stride = m_delta.valueLength;
        op.first = m_channels;
        op.norm = {NormKind::Rms, m_spec.normEpsilon, {}, {}};
        WB_TRY_ASSIGN(op.norm.weight, m_tensors.needSlice(name("ssm_norm.weight"), {op.length}));
        m_ops.emplace_back(op);
        return {};
    }

    const TensorFinder& m_tensors;
    const arch::ModelSpec& m_spec;
    const std::string& m_prefix;
    std::vector<StateShape>& m_states;
    DeltaNetOp m_delta;
    std::uint64_t m_channels = 0; // that are convolved: queries, keys and values
    std::vector<LayerOp> m_ops;
};

} // namespace

Result<std::vector<LayerOp>> lowerShortConvolution(const TensorFinder& tensors, const arch::ModelSpec& spec,
                                                   const std::string& prefix, const NormOp& norm, std::vector<StateShape>& states) {
    const std::uint64_t width = spec.width, taps = spec.recurrent.convolution;
    ProjectOp in;
    in.norm = norm;
    WB_TRY_ASSIGN(in.matrices[0].weight, tensors.needSlice(prefix + "shortconv.in_proj.weight", {3 * width, width}));
    ConvOp conv;
    conv.inputGates = 0;
    conv.outputGates = width;
    conv.first = 2 * width;
    conv.channels = width;
    conv.width = taps;
    WB_TRY_ASSIGN(const TensorInfo* const kernel, tensors.need(prefix + "shortconv.conv.weight", {width, taps}));
    conv.kernel = {kernel, 0, width * taps};
    conv.state = addState(states, taps - 1, width);
    ResidualOp out{.input = RowInput::Mixed, .linear = {}, .norm = {}, .scale = spec.residualScale, .first = conv.first};
    WB_TRY_ASSIGN(out.linear.weight, tensors.needSlice(prefix + "shortconv.out_proj.weight", {width, width}));
    return std::vector<LayerOp>{in, conv, out};
}

Result<std::vector<LayerOp>> lowerDeltaNet(const TensorFinder& tensors, const arch::ModelSpec& spec, const std::string& prefix,
                                           const NormOp& norm, std::vector<StateShape>& states) {
    return DeltaNetLowering(tensors, spec, prefix, states).lower(norm);
}

} // namespace wb::infer
