// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/folder_rules.h"
#include "core/model/model.h"

namespace wb::convert {

// A source tensor as a transform reads it: the same bytes in another order, or a part of them. Its shape is that of the new
// tensor, but for Repack…, where it is that of the rows taken. What does not are in one piece is read through a
// recipe, blocks as F32. Unsupported with the tensor's name for a shape that the transform does not take.
struct ViewSizes {
    std::uint64_t rows = 0;    // that CutRows keeps
    std::uint64_t groups = 0;  // of ByGroup
    std::uint64_t heads = 0;   // of LatentKeys and LatentValues …
    std::uint64_t keys = 0;    // … and the rows of keys of each
    std::uint64_t indexer = 0; // rows of the indexer's queries
};
Result<TensorInfo> transformedView(const TensorInfo& source, Transform transform, const ViewSizes& sizes = {});

// Whether the transform reads its source by such a view.
bool needsView(Transform transform);

} // namespace wb::convert
