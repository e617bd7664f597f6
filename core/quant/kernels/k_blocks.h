// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/kernels/fit.h"
#include "core/quant/kernels/pack_codes.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>

// Shared by the scalar and the SIMD form of the K types: the parameters of each type, and the packing of scales and codes
// (docs/reference/gguf.md, "K types").
namespace wb::quant {

// How one affine type (Q2_K, Q4_K, Q5_K) differs from the others.
struct AffineType {
    std::size_t group; // elements of a sub-block
    int levels;        // largest code
    int scaleLevels;   // largest code of the scales and minimums
    AffineSearch plain;
    AffineSearch weighted;
    float meanSquareFactor; // σ² = factor · Σx² / 256
    std::uint8_t maxFitted; // where weighted scale codes are cut: those of fits below 0 are bytes that wrapped (255: they stay so)
    std::size_t groups() const { return 256 / group; }
};
inline constexpr AffineSearch weightedSearch{-0.9f, 0.05f, 36, false, true};
inline constexpr AffineType affineQ2{16, 3, 15, {-0.5f, 0.1f, 15, true, false}, weightedSearch, 1, 255};
inline constexpr AffineType affineQ4{32, 15, 63, {-1.0f, 0.1f, 20, false, false}, weightedSearch, 2, 255};
inline constexpr AffineType affineQ5{32, 31, 63, {-0.5f, 0.1f, 15, false, false}, weightedSearch, 2, 63};

// The stored scales of a super-block: codes of the sub-blocks' scales and minimums, and the two f16 they are multiplied with.
struct AffineScales {
    std::array<std::uint8_t, 16> scale{};
    std::array<std::uint8_t, 16> minimum{};
    std::uint16_t d = 0;
    std::uint16_t dmin = 0;
};

// The plain form's codes for values that are scaled by their largest; returns the f16 of the unit.
std::uint16_t plainScaleCodes(int levels, std::span<const float> values, std::span<std::uint8_t> codes);

// The plain form of Q3_K: the signed scale of largest magnitude takes code -32, stored as 0.
std::uint16_t plainScaleCodesQ3(std::span<const float, 16> fitted, std::span<std::uint8_t, 16> codes);

// The scales of Q6_K and their unit; nothing where all of them vanish, which makes the whole super-block zero.
struct ScalesQ6 {
    std::array<std::int8_t, 16> codes;
    std::uint16_t d;
};
std::optional<ScalesQ6> scaleCodesQ6(std::span<const float, 16> fitted);

// The last step of a super-block: with its scales as they are stored, every element takes its nearest code,
// clamp(nearest((x + m) / d), low, high) - low. A group whose d is 0 keeps the codes of its fit.
struct GroupUnits {
    std::size_t group; // elements of a sub-block
    int low, high;
    std::array<float, 16> d;
    std::array<float, 16> m;
    std::size_t groups() const { return 256 / group; }
};

// Write the scales of a super-block and give what they mean for the last step. The scale codes of Q3_K are stored as scale + 32.
GroupUnits storeScalesQ2K(const AffineScales& scales, std::byte* out);
GroupUnits storeScalesQ4K(const AffineScales& scales, std::byte* out);
GroupUnits storeScalesQ5K(const AffineScales& scales, std::byte* out);
GroupUnits storeScalesQ3K(std::span<const std::uint8_t, 16> scaleCodes, std::uint16_t d, std::byte* out);
GroupUnits storeScalesQ6K(const ScalesQ6& scales, std::byte* out);

// Write the codes of a super-block.
void storeCodesQ2K(const Codes256& codes, std::byte* out);
void storeCodesQ3K(const Codes256& codes, std::byte* out);
void storeCodesQ4K(const Codes256& codes, std::byte* out);
void storeCodesQ5K(const Codes256& codes, std::byte* out);
void storeCodesQ6K(const Codes256& codes, std::byte* out);

} // namespace wb::quant
