// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/graph.h"
#include "core/infer/tensor_finder.h"

namespace wb::infer {

// Of the sum of squares of queries and keys (huggingface/transformers: models/qwen3_next/modeling_qwen3_next.py, l2norm;
// ggml-org/llama.cpp: src/models/kimi-linear.cpp).
inline constexpr float lengthEpsilon = 1e-6F;

// Adds a state and returns its number.
inline std::uint32_t addState(std::vector<StateShape>& states, std::uint64_t rows, std::uint64_t columns) {
    states.push_back({rows, columns});
    return static_cast<std::uint32_t>(states.size() - 1);
}

// The operations of a layer of the gated delta rule up to the residual: projections, convolution, delta rule, gated norm, output
// projection (docs/reference/inference.md, "Gated delta-net"). `prefix` is that of the layer's tensors ("blk.0."), `norm` the one
// before it; its states are added to `states`. The numbers of spec.recurrent have been checked; the errors are those of
// TensorFinder.
Result<std::vector<LayerOp>> lowerDeltaNet(const TensorFinder& tensors, const arch::ModelSpec& spec, const std::string& prefix,
                                           const NormOp& norm, std::vector<StateShape>& states);

// The same of a layer that convolves: in-projection to input gates, output gates and inputs, convolution, out-projection
// (docs/reference/inference.md, "Mamba-2 and short convolution").
Result<std::vector<LayerOp>> lowerShortConvolution(const TensorFinder& tensors, const arch::ModelSpec& spec,
                                                   const std::string& prefix, const NormOp& norm, std::vector<StateShape>& states);

} // namespace wb::infer
