// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/fit.h"
#include "core/quant/pack_codes.h"

#include <cstddef>
#include <functional>
#include <span>

// What the scalar and the SIMD form of the K types share: the parameters of each type, and everything after the fits
// (specs/gguf_and_quantization.md 6.5).
namespace wb::quant {

// How one affine type (Q2_K, Q4_K, Q5_K) differs from the others.
struct AffineType {
    std::size_t group;      // elements of a sub-block
    int levels;             // largest code
    int scaleLevels;        // largest code of the scales and minimums
    AffineSearch plain;
    AffineSearch weighted;
    float meanSquareFactor; // σ² = factor · Σx² / 256
    std::size_t groups() const { return 256 / group; }
};
inline constexpr AffineSearch weightedSearch{-0.9f, 0.05f, 36, false, true};
inline constexpr AffineType affineQ2{16, 3, 15, {-0.5f, 0.1f, 15, true, false}, weightedSearch, 1};
inline constexpr AffineType affineQ4{32, 15, 63, {-1.0f, 0.1f, 20, false, false}, weightedSearch, 2};
inline constexpr AffineType affineQ5{32, 31, 63, {-0.5f, 0.1f, 15, false, false}, weightedSearch, 2};

// The stored scales of a super-block: codes of the sub-blocks' scales and minimums, and the two f16 they are multiplied with.
struct AffineScales {
    std::array<std::uint8_t, 16> scale{};
    std::array<std::uint8_t, 16> minimum{};
    std::uint16_t d = 0;
    std::uint16_t dmin = 0;
};

// The plain form's codes for values that are scaled by their largest; returns the f16 of the unit.
std::uint16_t plainScaleCodes(int levels, std::span<const float> values, std::span<std::uint8_t> codes);

// The last step of a super-block: with its scales as they are stored, every element takes its nearest code. A group whose scale is 0
// keeps the codes of its fit, which `keep` fills in.
struct FinalStep {
    std::span<const float> x; // 256
    void (*divide)(std::span<const float> x, float m, float d, int low, int high, int shift, std::span<std::uint8_t> codes);
    std::function<void(std::size_t group, std::span<std::uint8_t> codes)> keep;
};

void finishQ2K(const FinalStep& step, AffineScales& scales, std::byte* out);
void finishQ4K(const FinalStep& step, AffineScales& scales, std::byte* out);
void finishQ5K(const FinalStep& step, AffineScales& scales, std::byte* out);

// `scaleCodes` are the stored codes (scale + 32); `fitted` the scales of the sixteen sub-blocks.
void finishQ3K(const FinalStep& step, const std::array<std::uint8_t, 16>& scaleCodes, std::uint16_t d, std::byte* out);
void finishQ6K(const FinalStep& step, const std::array<float, 16>& fitted, std::byte* out);

// The plain form of Q3_K: the signed scale of largest magnitude takes code -32.
std::uint16_t plainScaleCodesQ3(const std::array<float, 16>& fitted, std::array<std::uint8_t, 16>& codes);

// The scalar twin of divideToCodes.
void divideToCodesScalar(std::span<const float> x, float m, float d, int low, int high, int shift, std::span<std::uint8_t> codes);

} // namespace wb::quant
