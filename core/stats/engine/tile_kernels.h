// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/moments.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

// The inner loops over a tile of at most some thousand f32 values that are in the first-level cache. Each has a readable scalar
// twin and a SIMD form with run-time dispatch. Equal exactly: everything but the sums of computeMoments, which run in another
// order.
namespace wb::stats {

// Extremes and sum of a tile. Of an empty tile min is the largest and max the smallest int32.
struct TileRange {
    std::int32_t min = INT32_MAX; // as signed sort keys, see toSignedKey()
    std::int32_t max = INT32_MIN;
    std::uint32_t minMagnitude = UINT32_MAX; // of the bits without the sign
    double sum = 0;                          // of all values; meaningless if one is not finite
};

// Bits of an f32 to a signed integer of the same order (-0 below +0; NaN beyond the infinities), and back, being its own inverse.
constexpr std::int32_t toSignedKey(std::int32_t bits) { return bits ^ ((bits >> 31) & INT32_MAX); }

// The bits of positive infinity: a magnitude from here on is not finite.
inline constexpr std::uint32_t infinityBits = 0x7F80'0000;
inline constexpr std::uint32_t smallestNormalBits = 0x0080'0000;

TileRange computeRange(std::span<const float> values);

// How many values are zero, and how many subnormal; by their bits.
struct TinyCounts {
    std::size_t zeros = 0;
    std::size_t subnormals = 0;
};
TinyCounts countTiny(std::span<const float> values);

// Mean and central sums of finite values, given their sum.
Moments computeMoments(std::span<const float> values, double sum);

// The upper 16 bits of some f32, what a value's sign, exponent and first mantissa bits are. Unused places repeat the first one, so
// that kernels compare with a fixed number of them; an empty set contains only what no finite value has.
class UpperHalves {
public:
    static constexpr std::size_t capacity = 12; // a multiple of 4

    UpperHalves() { m_list.fill(0xFFFF); }

    void insert(std::uint16_t upper) {
        if (contains(upper)) return;
        if (m_size == 0) m_list.fill(upper);
        m_list[m_size++] = upper;
    }
    bool contains(std::uint16_t upper) const { return std::ranges::find(m_list, upper) != m_list.end(); }
    std::uint16_t operator[](std::size_t place) const { return m_list[place]; }

private:
    std::array<std::uint16_t, capacity> m_list{};
    std::size_t m_size = 0;
};

// Copies the values whose upper halves are in `wanted`, in order, and returns their number. `out` contains values.size() + 16
// floats: vectors are stored whole.
std::size_t select(std::span<const float> values, const UpperHalves& wanted, float* out);

// The bin of every value, see BinRule; the 8-bit form is for at most 256 bins. `out` contains values.size() bins.
class BinRule;
void assignBins(std::span<const float> values, const BinRule& rule, std::uint8_t* out);
void assignBins(std::span<const float> values, const BinRule& rule, std::uint32_t* out);

// A pair of bytes as an index into a table of counts. The common pairs of bell-shaped data form a square in the middle of the
// table, whose rows would compete for a quarter of a first-level cache; so the lower byte is moved by the upper one. Its own
// inverse.
constexpr std::uint16_t spreadPair(std::uint16_t pair) { return static_cast<std::uint16_t>(pair ^ (pair >> 4 & 0xF0)); }
void spreadPairs(std::span<std::uint16_t> pairs);

// The largest word when the top bit of each is ignored, 0 for none: the largest magnitude of 16-bit floats.
std::uint16_t maxMagnitude(std::span<const std::uint16_t> words);

namespace scalar {
TileRange computeRange(std::span<const float> values);
TinyCounts countTiny(std::span<const float> values);
Moments computeMoments(std::span<const float> values, double sum);
std::size_t select(std::span<const float> values, const UpperHalves& wanted, float* out);
void assignBins(std::span<const float> values, const BinRule& rule, std::uint8_t* out);
void assignBins(std::span<const float> values, const BinRule& rule, std::uint32_t* out);
void spreadPairs(std::span<std::uint16_t> pairs);
std::uint16_t maxMagnitude(std::span<const std::uint16_t> words);
} // namespace scalar

} // namespace wb::stats
