// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/graph.h"
#include "core/infer/tensor_finder.h"

namespace wb::infer {

// The key whose number does not allow several residual streams or n-gram embeddings; null: none.
const char* invalidStreamKey(const arch::ModelSpec& spec);

// The mixture whose tensors start with `stem` ("blk.0.hc_attn"). The errors are those of TensorFinder.
Result<MixStreamsOp> lowerMix(const TensorFinder& tensors, const arch::ModelSpec& spec, const std::string& stem, bool injects);

// The n-gram embeddings of a layer; their states are added to `states`. Malformed: a table with too few rows, too.
Result<std::vector<LayerOp>> lowerNgrams(const TensorFinder& tensors, const arch::ModelSpec& spec, const std::string& prefix,
                                         std::vector<StateShape>& states);

} // namespace wb::infer
