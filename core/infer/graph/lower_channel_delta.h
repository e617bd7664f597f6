// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/graph.h"
#include "core/infer/tensor_finder.h"

namespace wb::infer {

// The operations of a layer of Kimi delta attention up to the residual: projections, three convolutions, the delta rule with
// decays of channels, gated norm, output projection (docs/reference/inference.md, "Gated delta-net"). The arguments and errors are
// those of lowerDeltaNet.
Result<std::vector<LayerOp>> lowerChannelDelta(const TensorFinder& tensors, const arch::ModelSpec& spec, const std::string& prefix,
                                               const NormOp& norm, std::vector<StateShape>& states);

} // namespace wb::infer
