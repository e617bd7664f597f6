// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/moments.h"
#include "core/stats/engine/top_list.h"

#include <span>

namespace wb::gpu {

// The totals of the first pass over all tiles, in f64 and 64 bits. Tiles are added in their order, so that the result does not
// depend on how the tensor was cut into slabs.
class TileTotals {
public:
    // `words` of the next tile, laid out as gpu/shaders/stats_tile.h says; it holds `count` elements.
    void add(std::span<const std::uint32_t> words, std::uint64_t count);

    std::uint64_t nan = 0;
    std::uint64_t inf = 0;
    std::uint64_t zeros = 0;
    std::uint64_t subnormals = 0;
    std::uint32_t min = UINT32_MAX; // sort keys of finite values
    std::uint32_t max = 0;
    stats::Moments moments() const { return m_moments.total(); }

    // The tiles among whose elements the ten largest ones are: those with the largest magnitudes, equal ones by index. For if an
    // element is in another tile, each of these ten has one that is larger, or as large and before it.
    const stats::TopList& topTiles() const { return m_topTiles; } // candidates' indices are tiles

private:
    stats::MomentTree m_moments;
    stats::TopList m_topTiles;
    std::uint64_t m_tiles = 0;
};

} // namespace wb::gpu
