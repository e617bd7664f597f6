// SPDX-License-Identifier: MIT
#include "gpu/stats/tile_totals.h"

#include "gpu/shaders/stats_tile.h"

#include <bit>

namespace wb::gpu {
namespace {

double number(std::span<const std::uint32_t> words, std::size_t at) { return std::bit_cast<float>(words[at]); }

// The device summed powers of x - pivot; these become central sums, and what rounding took from the pivot comes back.
stats::Moments wordsLeaf(std::span<const std::uint32_t> words, std::uint64_t finite) {
    const auto n = static_cast<double>(finite);
    const double s2 = number(words, WB_TILE_SUM2);
    const double s3 = number(words, WB_TILE_SUM3);
    const double d = number(words, WB_TILE_SUM1) / n;
    stats::Moments leaf;
    leaf.n = finite;
    leaf.exponent = std::bit_cast<std::int32_t>(words[WB_TILE_EXPONENT]);
    leaf.mean = number(words, WB_TILE_PIVOT) + d;
    leaf.m2 = std::max(0.0, s2 - n * d * d);
    leaf.m3 = s3 - 3 * d * s2 + 2 * n * d * d * d;
    leaf.m4 = std::max(0.0, number(words, WB_TILE_SUM4) - 4 * d * s3 + 6 * d * d * s2 - 3 * n * d * d * d * d);
    return leaf;
}

} // namespace

void TileTotals::add(std::span<const std::uint32_t> words, std::uint64_t count) {
    nan += words[WB_TILE_NAN];
    inf += words[WB_TILE_INF];
    zeros += words[WB_TILE_ZEROS];
    subnormals += words[WB_TILE_SUBNORMALS];
    const std::uint64_t tile = m_tiles++;
    const std::uint64_t finite = count - words[WB_TILE_NAN] - words[WB_TILE_INF];
    if (finite == 0) {
        m_moments.add({});
        return;
    }
    min = std::min(min, words[WB_TILE_MIN]);
    max = std::max(max, words[WB_TILE_MAX]);
    m_moments.add(wordsLeaf(words, finite));
    m_topTiles.add({words[WB_TILE_ABSMAX], tile, 0});
}

} // namespace wb::gpu
