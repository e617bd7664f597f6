// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/graph.h"
#include "core/infer/tensor_finder.h"

namespace wb::infer {

// The key whose number does not allow a layer to select what it attends to; null: none.
const char* invalidIndexKey(const arch::ModelSpec& spec);

// The indexer of a layer with the tensors `prefix` ("blk.0."), whose numbers have been checked. Its keys and its state are added to
// the graph's; `norm` is the one before the layer's attention. With `compressed` its queries come from the compressed ones of
// latent attention. The errors are those of TensorFinder.
struct IndexLayer {
    const TensorFinder& tensors;
    const arch::ModelSpec& spec;
    const arch::LayerSpec& layer;
    const std::string& prefix;
    const LatentQkvOp* compressed = nullptr;
};
Result<IndexOp> lowerIndex(const IndexLayer& of, const NormOp& norm, std::optional<std::uint32_t> rope,
                           std::vector<CacheShape>& caches, std::vector<StateShape>& states);

} // namespace wb::infer
