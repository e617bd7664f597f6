// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/moments.h"

#include <cstddef>
#include <cstdint>
#include <span>

// The inner loops over a tile of at most some thousand f32 values that lie in the first-level cache. Each has a readable scalar
// twin and a SIMD form with run-time dispatch. Equal exactly: everything but the sums of momentsOf, which run in another order.
namespace wb::stats {

// What one look at a tile tells. Without values: least is the largest and greatest the smallest int32.
struct TileRange {
    std::int32_t least = INT32_MAX;     // sortable integers: an order-preserving signed image of the bits, see sortable()
    std::int32_t greatest = INT32_MIN;
    std::uint32_t leastMagnitude = UINT32_MAX; // of the bits without the sign
    double sum = 0;                     // of all values; meaningless if one is not finite
};

// Bits of an f32 to a signed integer of the same order (-0 below +0; NaN beyond the infinities), and back, being its own inverse.
constexpr std::int32_t sortable(std::int32_t bits) { return bits ^ ((bits >> 31) & INT32_MAX); }

// The bits of positive infinity: a magnitude from here on is not finite.
inline constexpr std::uint32_t infinityBits = 0x7F80'0000;
inline constexpr std::uint32_t smallestNormalBits = 0x0080'0000;

TileRange rangeOf(std::span<const float> values);

// How many values are zero, and how many subnormal; by their bits.
struct TinyCounts {
    std::size_t zeros = 0;
    std::size_t subnormals = 0;
};
TinyCounts countTiny(std::span<const float> values);

// Mean and central sums of finite values, given their sum.
Moments momentsOf(std::span<const float> values, double sum);

// A set of 16-bit words.
class WordSet {
public:
    WordSet() : m_bits(65'536 / 32) {}
    void insert(std::uint16_t word) { m_bits[word >> 5] |= std::uint32_t{1} << (word & 31); }
    bool contains(std::uint16_t word) const { return (m_bits[word >> 5] >> (word & 31) & 1) != 0; }
    const std::uint32_t* bits() const { return m_bits.data(); }

private:
    std::vector<std::uint32_t> m_bits;
};

// Copies the values whose upper 16 bits are in the set, in order, and says how many. `out` holds values.size() + 16 floats: vectors
// are stored whole.
std::size_t select(std::span<const float> values, const WordSet& upperHalves, float* out);

// The bin of every value: see BinRule. `out` holds values.size() bins.
class BinRule;
void binsOf(std::span<const float> values, const BinRule& rule, std::uint32_t* out);

// The largest word of all, each taken without its top bit; 0 for none. For the magnitudes of 16-bit floats.
std::uint16_t greatestMagnitude(std::span<const std::uint16_t> words);

namespace scalar {
TileRange rangeOf(std::span<const float> values);
TinyCounts countTiny(std::span<const float> values);
Moments momentsOf(std::span<const float> values, double sum);
std::size_t select(std::span<const float> values, const WordSet& upperHalves, float* out);
void binsOf(std::span<const float> values, const BinRule& rule, std::uint32_t* out);
std::uint16_t greatestMagnitude(std::span<const std::uint16_t> words);
} // namespace scalar

} // namespace wb::stats
