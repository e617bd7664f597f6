// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/graph.h"
#include "core/infer/tensor_finder.h"

namespace wb::infer {

// Lowers layer after layer of a model to operations. The ropes and caches of a layer are added to the graph's where an equal one is
// not yet there.
class LayerLowering {
public:
    // `divisors` has those of the rotations without a window (divisors, longDivisors, shortDivisors). All must outlive it.
    LayerLowering(const TensorFinder& tensors, const arch::ModelSpec& spec, const RopeOp& divisors, Graph& graph)
        : m_tensors(tensors), m_spec(spec), m_divisors(divisors), m_graph(graph) {}

    // The errors are those of TensorFinder.
    Result<std::vector<LayerOp>> lower(std::size_t index);

private:
    const TensorFinder& m_tensors;
    const arch::ModelSpec& m_spec;
    const RopeOp& m_divisors;
    Graph& m_graph;
    std::vector<std::uint32_t> m_cacheOf; // of each layer so far; of one without a cache unused
};

// Of the queries of a layer.
Temperature queryTemperature(const arch::ModelSpec& spec, const arch::LayerSpec& layer);

// A norm of the model's kind.
NormOp normOp(const arch::ModelSpec& spec, const NormTensors& tensors);

} // namespace wb::infer
