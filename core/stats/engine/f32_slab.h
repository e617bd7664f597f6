// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/slabs.h"

namespace wb::stats {

// One worker's slab of a tensor whose values fit f32, decoded tile by tile so that a tile stays in the first-level cache.
class F32Slab {
public:
    explicit F32Slab(const TensorReader& reader);

    Result<void> read(const Slab& slab);

    std::size_t tiles() const { return (m_count + tileElements - 1) / tileElements; }
    std::uint64_t first(std::size_t tile) const { return m_first + tile * tileElements; } // element

    // The values of a tile; valid until the next call.
    std::span<const float> tile(std::size_t tile);

private:
    const TensorReader* m_reader;
    std::vector<float> m_values;    // of the whole slab for F32, which needs no decoding; else of one tile
    std::vector<std::byte> m_bytes; // as stored, empty for F32
    std::uint64_t m_first = 0;
    std::size_t m_count = 0;
};

} // namespace wb::stats
