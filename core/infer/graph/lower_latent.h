// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/graph.h"
#include "core/infer/tensor_finder.h"

namespace wb::infer {

struct LatentLayer {
    const TensorFinder& tensors;
    const arch::ModelSpec& spec;
    const arch::LayerSpec& layer;
    const std::string& prefix; // of the layer's tensors ("blk.0.")
};

// The operations of latent attention up to the residual (docs/reference/inference.md, "MLA"), whose keys and values go into
// `cache`; `norm` is the one before it. The numbers of spec.latent have been checked; the errors are those of TensorFinder.
Result<std::vector<LayerOp>> lowerLatentAttention(const LatentLayer& of, const NormOp& norm, std::optional<std::uint32_t> rope,
                                                  std::uint32_t cache);

} // namespace wb::infer
