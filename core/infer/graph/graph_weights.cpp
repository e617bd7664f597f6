// SPDX-License-Identifier: MIT
#include "core/infer/graph/graph.h"

#include <set>
#include <utility>

namespace wb::infer {
namespace {

// Called with each operation in turn.
class WeightLister {
public:
    GraphWeights take() { return std::move(m_list); }

    void operator()(const JoinOp& op) {
        norm(op.tokenNorm);
        norm(op.precedingNorm);
        matrix(op.linear);
    }

    void operator()(const LayerInputsOp& op) {
        matrix({op.projection, {}});
        norm(op.norm);
    }

    void operator()(const QkvOp& op) {
        norm(op.norm);
        matrix(op.q);
        matrix(op.k);
        matrix(op.v);
        norm(op.qNorm);
        norm(op.kNorm);
        norm(op.vNorm);
    }

    void operator()(const AttendOp& op) { vector(op.sinks); }

    void operator()(const LatentQkvOp& op) {
        norm(op.norm);
        matrix(op.compress);
        norm(op.compressNorm);
        matrix(op.q);
        matrix(op.k);
        norm(op.keyNorm);
        for (std::uint64_t head = 0; head < op.shape.heads; ++head) matrix({absorbSlice(op, head), {}});
    }

    void operator()(const HeadwiseOp& op) {
        for (std::uint64_t head = 0; head < op.heads; ++head) matrix({op.ofHead(head), {}});
    }

    void operator()(const ProjectOp& op) {
        norm(op.norm);
        for (const Linear& linear : op.matrices) matrix(linear);
    }

    void operator()(const ConvOp& op) {
        vector(op.kernel);
        vector(op.bias);
    }

    void operator()(const DeltaNetOp& op) {
        vector(op.decay);
        vector(op.stepBias);
    }

    void operator()(const StateSpaceOp& op) {
        vector(op.decay);
        vector(op.stepBias);
        vector(op.skip);
    }

    void operator()(const GateOp& op) { norm(op.norm); }

    void operator()(const ResidualOp& op) {
        matrix(op.linear);
        norm(op.norm);
    }

    void operator()(const GateUpOp& op) {
        norm(op.norm);
        matrix(op.gate);
        matrix(op.up);
    }

    void operator()(const RouteOp& op) {
        norm(op.norm);
        matrix(op.router);
        vector(op.selectionBias);
        vector(op.sharedGate);
        vector(op.expertScale);
    }

    void operator()(const ExpertsOp& op) {
        norm(op.norm);
        norm(op.outNorm);
        for (std::uint64_t e = 0; e < op.experts; ++e) {
            const ExpertMatrices expert = expertMatrices(op, e);
            for (const Linear& linear : {expert.gate, expert.up, expert.down}) matrix(linear, op.used, op.experts);
        }
    }

    void operator()(const LayerInputOp& op) { matrix({op.gate, {}}); }
    void operator()(const ScaleOp& op) { vector(op.factor); }
    void operator()(const AddSumOp& op) { norm(op.norm); }

    void operator()(const IndexOp& op) {
        norm(op.norm);
        norm(op.queryNorm);
        for (const Linear& linear : {op.q, op.k, op.weights}) matrix(linear);
        norm(op.qNorm);
        norm(op.kNorm);
    }

    void operator()(const MixStreamsOp& op) {
        norm(op.norm);
        for (const Linear& linear : {op.down, op.up, op.inject}) matrix(linear);
    }

    void operator()(const InjectOp&) {}

    void operator()(const NgramOp& op) {
        for (const NormOp& each : {op.keyNorm, op.queryNorm, op.outNorm}) norm(each);
        for (const Linear& linear : {op.key, op.value}) matrix(linear);
    }

    void operator()(const AddNgramsOp&) {}

    void operator()(const HeadOp& op) {
        if (op.mix) (*this)(*op.mix);
        norm(op.norm);
        matrix(op.output);
    }

private:
    void norm(const NormOp& op) {
        vector(op.weight);
        vector(op.bias);
    }

    void vector(const Slice& elements) {
        if (elements && m_vectors.insert(elements).second) m_list.vectors.push_back(elements);
    }

    void matrix(const Linear& linear, std::uint64_t used = 1, std::uint64_t of = 1) {
        if (linear && m_matrices.insert({linear.weight, linear.bias}).second) m_list.matrices.push_back({linear, used, of});
    }

    GraphWeights m_list;
    std::set<Slice> m_vectors;
    std::set<std::pair<Slice, Slice>> m_matrices;
};

Slice ofFirstRows(const Slice& ofFirst, std::uint64_t offset) {
    return ofFirst ? Slice{ofFirst.tensor, ofFirst.first + offset, ofFirst.count} : Slice{};
}

} // namespace

ExpertMatrices expertMatrices(const ExpertsOp& op, std::uint64_t expert) {
    const std::uint64_t width = op.down.count;
    const auto bias = [expert](const Slice& all, std::uint64_t rows) {
        return all ? Slice{all.tensor, all.first + expert * rows, rows} : Slice{};
    };
    return {.gate = {ofFirstRows(op.gate, expert * op.stride), bias(op.gateBias, op.inner)},
            .up = {ofFirstRows(op.up, expert * op.stride), bias(op.upBias, op.inner)},
            .down = {ofFirstRows(op.down, expert * width), bias(op.downBias, width)}};
}

Slice absorbSlice(const LatentQkvOp& op, std::uint64_t head) {
    return {op.absorb.tensor, op.absorb.first + head * op.shape.valueLength, op.shape.valueLength};
}

GraphWeights listWeights(const Graph& graph, std::size_t first) {
    WeightLister lister;
    if (graph.join && first == 0) lister(*graph.join);
    if (graph.layerInputs && first == 0) lister(*graph.layerInputs);
    for (std::size_t i = first; i < graph.layers.size(); ++i)
        for (const LayerOp& op : graph.layers[i]) std::visit(lister, op);
    if (graph.head) lister(*graph.head);
    return lister.take();
}

} // namespace wb::infer
