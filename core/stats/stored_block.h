// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/tensor_reader.h"
#include "core/tensor/block_parts.h"

// One stored block of a tensor: its bytes, values, codes and scales.
namespace wb::stats {

struct StoredBlock {
    Dtype dtype = Dtype::Unknown;
    std::uint64_t first = 0;         // flat index of its first element
    std::vector<std::byte> bytes;    // as stored, little-endian
    std::vector<double> values;      // of its elements
    std::optional<BlockParts> parts; // of block types

    std::uint64_t number() const { return values.empty() ? 0 : first / values.size(); }
};

// Reads the block that contains the element with this flat index. A plain type's block is one element, or the few that share bytes.
// Invalid if the index is beyond the tensor.
Result<StoredBlock> readBlock(const TensorReader& reader, std::uint64_t index);

} // namespace wb::stats
