// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

// Arithmetic whose order is fixed, so that every form of a kernel gives the same bits: the readable one, the vectors of each
// machine, and the shaders of gpu/shaders/infer. Where activations are rounded to 8 bits, one differing bit would move a rounding
// to its other side, and another token would be chosen where two are nearly equal.
namespace wb::infer::cpu {

// a * b + c, rounded once, as std::fma must do it. That of mingw-w64 gives other bits in a quarter of all cases; there the sum is
// rounded to an odd number of 53 bits first (S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
inline float fusedMultiplyAdd(float a, float b, float c) {
#ifdef __MINGW32__
    const double product = static_cast<double>(a) * static_cast<double>(b), addend = c; // the product is exact
    const double sum = product + addend, part = sum - product;
    const double error = (product - (sum - part)) + (addend - part);
    const auto bits = std::bit_cast<std::uint64_t>(sum);
    if (!std::isfinite(sum) || error == 0 || (bits & 1) != 0) return static_cast<float>(sum);
    return static_cast<float>(std::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1));
#else
    return std::fma(a, b, c);
#endif
}

// Numbers of a row that are added side by side: number i goes to sum i % sumLanes.
inline constexpr std::size_t sumLanes = 64;
using LaneSums = std::array<float, sumLanes>;

// The upper half is added to the lower one until one sum is left.
inline float foldLanes(LaneSums& sums) {
    for (std::size_t step = sumLanes / 2; step > 0; step /= 2)
        for (std::size_t i = 0; i < step; ++i) sums[i] += sums[i + step];
    return sums[0];
}

// Where exponential() is computed; below, e^x counts as 0 next to the largest of a softmax.
inline constexpr float minExponent = -87.0F, maxExponent = 88.0F;

// ln 2 in two parts, of which the first is exact when it is multiplied by a whole number, and the polynomial of expf of the
// Cephes library (S. L. Moshier), whose coefficients start with the highest power.
inline constexpr float log2OfE = 1.44269504F, ln2High = 0.693359375F, ln2Low = -2.12194440e-4F;
inline constexpr std::array<float, 6> exponentialTerms = {1.9875691500e-4F, 1.3981999507e-3F, 8.3334519073e-3F,
                                                          4.1665795894e-2F, 1.6666665459e-1F, 5.0000001201e-1F};

// e^x within two units of the last place, for x in [leastExponent, mostExponent]. Twin: gpu/shaders/infer/exact_steps.glsl.
inline float exponential(float x) {
    const float n = std::nearbyint(x * log2OfE);
    const float r = fusedMultiplyAdd(n, -ln2Low, fusedMultiplyAdd(n, -ln2High, x));
    float p = exponentialTerms[0];
    for (std::size_t i = 1; i < exponentialTerms.size(); ++i) p = fusedMultiplyAdd(p, r, exponentialTerms[i]);
    const float y = fusedMultiplyAdd(p, r * r, r) + 1.0F;
    const auto power = static_cast<std::uint32_t>(static_cast<std::int32_t>(n)) << 23;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(y) + power);
}

// x / (1 + e^-slope).
inline float gated(float x, float slope) { return x / (1.0F + exponential(std::clamp(-slope, minExponent, maxExponent))); }

// Of ln(1 + u) = 2 s (1 + s²/3 + s⁴/5 + …) with s = u / (2 + u), the highest power first. Up to u = 1 the rest is below 2e-9.
inline constexpr std::array<float, 8> logarithmTerms = {1.0F / 15, 1.0F / 13, 1.0F / 11, 1.0F / 9,
                                                        1.0F / 7,  1.0F / 5,  1.0F / 3,  1.0F};

// ln(1 + e^x).
inline float softplus(float x) {
    const float u = exponential(std::max(-std::abs(x), minExponent));
    const float s = u / (2.0F + u), square = s * s;
    float p = logarithmTerms[0];
    for (std::size_t i = 1; i < logarithmTerms.size(); ++i) p = fusedMultiplyAdd(p, square, logarithmTerms[i]);
    return fusedMultiplyAdd(2.0F * s, p, std::max(x, 0.0F));
}

// e^(rate * step): what a state is multiplied by.
inline float decayed(float rate, float step) { return exponential(std::clamp(rate * step, minExponent, maxExponent)); }

// Activations below it become codes of 0: a device may flush what their scale is computed with.
inline constexpr float minMagnitude = 1e-30F;

} // namespace wb::infer::cpu
