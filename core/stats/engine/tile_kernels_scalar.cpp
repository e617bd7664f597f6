// SPDX-License-Identifier: MIT
#include "core/stats/rules.h"
#include "core/stats/engine/tile_kernels.h"

#include <algorithm>
#include <bit>

namespace wb::stats::scalar {

TileRange computeRange(std::span<const float> values) {
    TileRange range;
    for (const float value : values) {
        const auto bits = std::bit_cast<std::int32_t>(value);
        range.min = std::min(range.min, toSignedKey(bits));
        range.max = std::max(range.max, toSignedKey(bits));
        range.minMagnitude = std::min(range.minMagnitude, static_cast<std::uint32_t>(bits & INT32_MAX));
        range.sum += double{value};
    }
    return range;
}

TinyCounts countTiny(std::span<const float> values) {
    TinyCounts counts;
    for (const float value : values) {
        const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(value) & INT32_MAX;
        counts.zeros += magnitude == 0;
        counts.subnormals += magnitude != 0 && magnitude < smallestNormalBits;
    }
    return counts;
}

Moments computeMoments(std::span<const float> values, double sum) {
    Moments moments;
    if (values.empty()) return moments;
    moments.n = values.size();
    moments.mean = sum / static_cast<double>(values.size());
    for (const float value : values) {
        const double d = double{value} - moments.mean;
        moments.m2 += d * d;
        moments.m3 += d * d * d;
        moments.m4 += d * d * (d * d);
    }
    return moments;
}

std::size_t select(std::span<const float> values, const UpperHalves& wanted, float* out) {
    std::size_t count = 0;
    for (const float value : values)
        if (wanted.contains(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16))) out[count++] = value;
    return count;
}

void assignBins(std::span<const float> values, const BinRule& rule, std::uint8_t* out) {
    for (std::size_t i = 0; i < values.size(); ++i) out[i] = static_cast<std::uint8_t>(rule(double{values[i]}));
}

void assignBins(std::span<const float> values, const BinRule& rule, std::uint32_t* out) {
    for (std::size_t i = 0; i < values.size(); ++i) out[i] = rule(double{values[i]});
}

void spreadPairs(std::span<std::uint16_t> pairs) {
    for (std::uint16_t& pair : pairs) pair = spreadPair(pair);
}

std::uint16_t maxMagnitude(std::span<const std::uint16_t> words) {
    std::uint16_t max = 0;
    for (const std::uint16_t word : words) max = std::max(max, static_cast<std::uint16_t>(word & 0x7FFF));
    return max;
}

} // namespace wb::stats::scalar
