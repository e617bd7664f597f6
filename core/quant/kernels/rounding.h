// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

// The roundings of the reference, including what they do outside their range (docs/reference/gguf.md, "Scalar conversions and
// rounding").
namespace wb::quant {

// Nearest integer, ties to even, by adding 1.5 * 2^23. Beyond |x| = 4,194,303 the bit formula decides (infinities: -4,194,304).
inline int nearestInt(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x + 12582912.0f);
    return static_cast<int>(bits & 0x007fffffu) - 0x00400000;
}

inline int clampInt(int value, int low, int high) { return value < low ? low : value > high ? high : value; }

// Toward zero to int32 as x86 does (0x80000000 for what does not fit), of which the low 8 bits are kept as signed.
inline std::int8_t truncateToInt8(float x) {
    const bool fits = x > -2147483904.0f && x < 2147483648.0f;
    const std::int32_t whole = fits ? static_cast<std::int32_t>(x) : std::numeric_limits<std::int32_t>::min();
    return static_cast<std::int8_t>(static_cast<std::uint32_t>(whole) & 0xFFu);
}

// Nearest, halves away from zero. Values that fit no integer (infinity, NaN) give what the reference's conversion gives on x86-64:
// `lroundf` to 64 bits leaves 0 in the low half, `roundf` to 32 bits gives the smallest int.
inline int roundAwayOr(float x, int unfit) { return std::fabs(x) < 2147483648.0f ? static_cast<int>(std::round(x)) : unfit; }
inline int roundAway(float x) { return roundAwayOr(x, 0); }

} // namespace wb::quant
