// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/dtype.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace wb {

// How a block type stores its elements.
struct BlockFacts {
    std::uint16_t groupElements = 0; // that share a scale
    std::uint16_t codeElements = 1;  // that share a code: 1; 4 or 8 where the code names a point of a grid
    std::uint16_t codes = 0;         // how many different codes there are
    std::int16_t firstCode = 0;      // the name of the lowest code: -128 for signed bytes, else 0
    bool hasMinimum = false;         // an offset is added after scaling
};

// Empty for types whose kind is not Block.
std::optional<BlockFacts> blockFacts(Dtype dtype);

// One block split into its parts. Element e is scales[g] * levels[e] + offsets[g] with g = e / groupElements, rounded after each
// step in f32: exactly what decode() gives, but for the bits of a NaN. Offsets are 0 where the type has no minimum, and are not
// added then.
struct BlockParts {
    std::array<float, 16> scales{};
    std::array<float, 16> offsets{};
    std::array<float, 256> levels{};
    std::array<std::uint16_t, 256> codes{}; // 0 … codes-1, one for every codeElements; called codes[i] + firstCode
};

// Splits the stored block at `block` (DtypeInfo::blockBytes of it). The type must be a block type.
void splitBlock(Dtype dtype, const std::byte* block, BlockParts& parts);

// Every level that an element of the block type can have before scaling, ascending; empty for other types.
std::vector<float> dtypeLevels(Dtype dtype);

} // namespace wb
