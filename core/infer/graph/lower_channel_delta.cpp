// SPDX-License-Identifier: MIT
#include "core/infer/graph/lower_channel_delta.h"

#include "core/infer/graph/lower_recurrent.h"

namespace wb::infer {
namespace {

// `mixed` of a layer: queries, keys, values; betas; what decays and gates are projected from; decays; gates.
class ChannelDeltaLowering {
public:
    ChannelDeltaLowering(const TensorFinder& tensors, const arch::ModelSpec& spec, const std::string& prefix,
                         std::vector<StateShape>& states)
        : m_tensors(tensors), m_spec(spec), m_prefix(prefix), m_states(states), m_heads(spec.headCount),
          m_length(spec.recurrent.headLength), m_numbers(m_heads * m_length), m_betas(3 * m_numbers),
          m_decayInputs(m_betas + m_heads), m_gateInputs(m_decayInputs + m_length), m_decays(m_gateInputs + m_length),
          m_gates(m_decays + m_numbers) {}

    Result<std::vector<LayerOp>> lower(const NormOp& norm) {
        WB_TRY(addProjections(norm));
        WB_TRY(addExpansion("ssm_f_b.weight", m_decayInputs, m_decays));
        WB_TRY(addExpansion("ssm_g_b.weight", m_gateInputs, m_gates));
        for (const auto& [rest, first] : {std::pair{"ssm_conv1d_q.weight", std::uint64_t{0}},
                                          {"ssm_conv1d_k.weight", m_numbers},
                                          {"ssm_conv1d_v.weight", 2 * m_numbers}})
            WB_TRY(addConvolution(rest, first));
        WB_TRY(addDeltaRule());
        WB_TRY(addGate());
        ResidualOp out{.input = RowInput::Attended, .linear = {}, .norm = {}, .scale = m_spec.residualScale};
        WB_TRY_ASSIGN(out.linear.weight, m_tensors.needSlice(name("attn_output.weight"), {m_spec.width, m_numbers}));
        m_ops.emplace_back(out);
        return std::move(m_ops);
    }

private:
    std::string name(const char* rest) const { return m_prefix + rest; }

    Result<void> addProjections(const NormOp& norm) {
        ProjectOp op;
        op.norm = norm;
        std::size_t at = 0;
        for (const auto& [rest, rows] : {std::pair{"attn_q.weight", m_numbers},
                                         {"attn_k.weight", m_numbers},
                                         {"attn_v.weight", m_numbers},
                                         {"ssm_beta.weight", m_heads},
                                         {"ssm_f_a.weight", m_length},
                                         {"ssm_g_a.weight", m_length}}) {
            WB_TRY_ASSIGN(op.matrices[at++].weight, m_tensors.needSlice(name(rest), {rows, m_spec.width}));
        }
        m_ops.emplace_back(op);
        return {};
    }

    Result<void> addExpansion(const char* rest, std::uint64_t from, std::uint64_t to) {
        ProjectOp op;
        op.from = from;
        op.first = to;
        WB_TRY_ASSIGN(op.matrices[0].weight, m_tensors.needSlice(name(rest), {m_numbers, m_length}));
        m_ops.emplace_back(op);
        return {};
    }

    Result<void> addConvolution(const char* rest, std::uint64_t first) {
        ConvOp op;
        op.first = first;
        op.channels = m_numbers;
        op.width = m_spec.recurrent.convolution;
        op.activation = Activation::Silu;
        WB_TRY_ASSIGN(op.kernel, m_tensors.needNumbers(name(rest), {op.channels, op.width}));
        op.state = addState(m_states, op.width - 1, op.channels);
        m_ops.emplace_back(op);
        return {};
    }

    Result<void> addDeltaRule() {
        DeltaNetOp op;
        op.keyHeads = op.valueHeads = m_heads;
        op.keyLength = op.valueLength = m_length;
        op.keys = m_numbers;
        op.values = 2 * m_numbers;
        op.alpha = {m_decays, 1, m_length};
        op.beta = {m_betas, m_heads, m_heads};
        op.channelDecays = true;
        op.epsilon = lengthEpsilon;
        WB_TRY_ASSIGN(op.decay, m_tensors.needNumbers(name("ssm_a"), {m_heads}));
        WB_TRY_ASSIGN(op.stepBias, m_tensors.needNumbers(name("ssm_dt.bias"), {m_numbers}));
        op.state = addState(m_states, m_numbers, m_length);
        m_ops.emplace_back(op);
        return {};
    }

    Result<void> addGate() {
        GateOp op;
        op.heads = m_heads;
        op.length = op.stride = m_length;
        op.first = m_gates;
        op.norm = {NormKind::Rms, m_spec.normEpsilon, {}, {}};
        WB_TRY_ASSIGN(op.norm.weight, m_tensors.needSlice(name("ssm_norm.weight"), {m_length}));
        m_ops.emplace_back(op);
        return {};
    }

    const TensorFinder& m_tensors;
    const arch::ModelSpec& m_spec;
    const std::string& m_prefix;
    std::vector<StateShape>& m_states;
    const std::uint64_t m_heads, m_length, m_numbers;                            // numbers: of all heads
    const std::uint64_t m_betas, m_decayInputs, m_gateInputs, m_decays, m_gates; // where they start in `mixed`
    std::vector<LayerOp> m_ops;
};

} // namespace

Result<std::vector<LayerOp>> lowerChannelDelta(const TensorFinder& tensors, const arch::ModelSpec& spec, const std::string& prefix,
                                               const NormOp& norm, std::vector<StateShape>& states) {
    return ChannelDeltaLowering(tensors, spec, prefix, states).lower(norm);
}

} // namespace wb::infer
