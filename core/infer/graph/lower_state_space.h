// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/graph.h"
#include "core/infer/tensor_finder.h"

namespace wb::infer {

// The operations of a Mamba-2 layer in two parts, between which layers with both kinds attend: the projection, which reads x; and
// convolution, state space, gated norm and output projection up to the residual (docs/reference/inference.md, "Mamba-2 and short
// convolution"). `prefix` is that of the layer's tensors ("blk.0."), `norm` the one before it; its states are added to `states`.
// The numbers of spec.recurrent have been checked; the errors are those of TensorFinder.
Result<LayerOp> lowerStateSpaceProjection(const TensorFinder& tensors, const arch::ModelSpec& spec, const std::string& prefix,
                                          const NormOp& norm);
Result<std::vector<LayerOp>> lowerStateSpace(const TensorFinder& tensors, const arch::ModelSpec& spec, const std::string& prefix,
                                             std::vector<StateShape>& states);

} // namespace wb::infer
