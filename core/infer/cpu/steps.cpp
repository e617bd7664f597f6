// SPDX-License-Identifier: MIT
#include "core/infer/cpu/steps.h"

namespace wb::infer::cpu {
namespace {

class StepMaker {
public:
    StepMaker(const Weights& weights, const float* ones) : m_weights(weights), m_ones(ones) {}

    JoinStep operator()(const JoinOp& op) const { return {op, norm(op.tokenNorm), norm(op.precedingNorm), matrix(op.linear)}; }
    LayerInputsStep operator()(const LayerInputsOp& op) const { return {op, matrix({op.projection, {}}), norm(op.norm)}; }

    Step operator()(const QkvOp& op) const {
        const std::uint64_t keyLength = op.shape.keyLength, valueLength = op.shape.valueLength;
        return QkvStep{op,
                       norm(op.norm),
                       matrix(op.q),
                       matrix(op.k),
                       matrix(op.v),
                       norm(op.qNorm, keyLength),
                       norm(op.kNorm, keyLength),
                       norm(op.vNorm, valueLength)};
    }

    Step operator()(const AttendOp& op) const { return AttendStep{op, m_weights.vector(op.sinks)}; }

    Step operator()(const LatentQkvOp& op) const {
        LatentQkvStep step{
            op, norm(op.norm), norm(op.compressNorm), norm(op.keyNorm), matrix(op.compress), matrix(op.q), matrix(op.k), {}};
        for (std::uint64_t head = 0; head < op.shape.heads; ++head) step.absorb.push_back(matrix({absorbSlice(op, head), {}}));
        return step;
    }

    Step operator()(const HeadwiseOp& op) const {
        HeadwiseStep step{op, {}};
        for (std::uint64_t head = 0; head < op.heads; ++head) step.matrices.push_back(matrix({op.ofHead(head), {}}));
        return step;
    }

    Step operator()(const ProjectOp& op) const {
        ProjectStep step{op, norm(op.norm), {}};
        for (std::size_t i = 0; i < op.matrices.size(); ++i) step.matrices[i] = matrix(op.matrices[i]);
        return step;
    }

    Step operator()(const ConvOp& op) const { return ConvStep{op, m_weights.vector(op.kernel), m_weights.vector(op.bias)}; }

    Step operator()(const DeltaNetOp& op) const {
        return DeltaNetStep{op, m_weights.vector(op.decay), m_weights.vector(op.stepBias)};
    }

    Step operator()(const StateSpaceOp& op) const {
        return StateSpaceStep{op, m_weights.vector(op.decay), m_weights.vector(op.stepBias), m_weights.vector(op.skip)};
    }

    Step operator()(const GateOp& op) const {
        GateStep step{op, norm(op.norm)};
        step.norm.count = op.length;
        return step;
    }

    Step operator()(const ResidualOp& op) const { return ResidualStep{op, matrix(op.linear), norm(op.norm)}; }
    Step operator()(const GateUpOp& op) const { return GateUpStep{op, norm(op.norm), matrix(op.gate), matrix(op.up)}; }

    Step operator()(const RouteOp& op) const {
        return RouteStep{op,
                         norm(op.norm),
                         matrix(op.router),
                         m_weights.vector(op.selectionBias),
                         m_weights.vector(op.sharedGate),
                         m_weights.vector(op.expertScale)};
    }

    Step operator()(const ExpertsOp& op) const {
        ExpertsStep step{op, norm(op.norm), norm(op.outNorm), {}, {}, {}};
        for (std::uint64_t e = 0; e < op.experts; ++e) {
            const ExpertMatrices expert = expertMatrices(op, e);
            step.gate.push_back(matrix(expert.gate));
            step.up.push_back(matrix(expert.up));
            step.down.push_back(matrix(expert.down));
        }
        return step;
    }

    Step operator()(const LayerInputOp& op) const { return LayerInputStep{op, matrix({op.gate, {}})}; }
    Step operator()(const ScaleOp& op) const { return ScaleStep{*m_weights.vector(op.factor)}; }
    Step operator()(const AddSumOp& op) const { return AddSumStep{op, norm(op.norm)}; }

    Step operator()(const IndexOp& op) const {
        return IndexStep{op,           norm(op.norm),      norm(op.queryNorm), matrix(op.q),
                         matrix(op.k), matrix(op.weights), norm(op.qNorm),     norm(op.kNorm)};
    }

    Step operator()(const MixStreamsOp& op) const { return mix(op); }
    Step operator()(const InjectOp& op) const { return InjectStep{op}; }

    Step operator()(const NgramOp& op) const {
        return NgramStep{op, norm(op.keyNorm), norm(op.queryNorm), norm(op.outNorm), matrix(op.key), matrix(op.value)};
    }

    Step operator()(const AddNgramsOp& op) const { return AddNgramsStep{op}; }

    HeadStep operator()(const HeadOp& op) const {
        HeadStep step{op, std::nullopt, norm(op.norm), matrix(op.output)};
        if (op.mix) step.mix = mix(*op.mix);
        return step;
    }

private:
    MixStreamsStep mix(const MixStreamsOp& op) const {
        return {op, norm(op.norm), matrix(op.down), matrix(op.up), matrix(op.inject)};
    }

    Matrix matrix(const Linear& linear) const { return {m_weights.matrix(linear.weight), m_weights.vector(linear.bias)}; }

    Norm norm(const NormOp& op, std::size_t count = 0) const {
        return {op.kind, op.epsilon, op.weight ? op.weight.count : count, op.weight ? m_weights.vector(op.weight) : m_ones,
                m_weights.vector(op.bias)};
    }

    const Weights& m_weights;
    const float* m_ones;
};

} // namespace

Program makeProgram(const Graph& graph, const Weights& weights, const float* ones) {
    const StepMaker maker(weights, ones);
    Program program;
    if (graph.join) program.join = maker(*graph.join);
    if (graph.layerInputs) program.layerInputs = maker(*graph.layerInputs);
    for (const std::vector<LayerOp>& layer : graph.layers) {
        std::vector<Step>& steps = program.layers.emplace_back();
        steps.reserve(layer.size());
        for (const LayerOp& op : layer) steps.push_back(std::visit(maker, op));
    }
    if (graph.head) program.head = maker(*graph.head);
    return program;
}

} // namespace wb::infer::cpu
