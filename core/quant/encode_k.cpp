// SPDX-License-Identifier: MIT
#include "core/quant/encoders.h"

#include "core/quant/fit.h"
#include "core/quant/rounding.h"
#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::quant::scalar {
namespace {

using Codes = std::array<std::uint8_t, 256>;

float sumOfSquares(std::span<const float> x) {
    float sum = 0;
    for (const float value : x) sum += value * value;
    return sum;
}

// u·sqrt(σ² + x²), the weights of every weighted K type.
std::array<float, 256> columnWeights(const Block& block, float meanSquare) {
    std::array<float, 256> weights;
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = block.weights[i] * std::sqrt(meanSquare + block.x[i] * block.x[i]);
    return weights;
}

float sum(std::span<const float> values) {
    float total = 0;
    for (const float value : values) total += value;
    return total;
}

// How one affine type (Q2_K, Q4_K, Q5_K) differs from the others.
struct AffineType {
    std::size_t group;       // elements of a sub-block
    int levels;              // largest code
    int scaleLevels;         // largest code of the scales and minimums
    AffineSearch plain;
    AffineSearch weighted;
    float meanSquareFactor;  // σ² = factor · Σx² / 256
};
constexpr AffineSearch weightedSearch{-0.9f, 0.05f, 36, false, true};
constexpr AffineType q2{16, 3, 15, {-0.5f, 0.1f, 15, true, false}, weightedSearch, 1};
constexpr AffineType q4{32, 15, 63, {-1.0f, 0.1f, 20, false, false}, weightedSearch, 2};
constexpr AffineType q5{32, 31, 63, {-0.5f, 0.1f, 15, false, false}, weightedSearch, 2};

struct AffineBlock {
    Codes codes;
    std::array<std::uint8_t, 16> scales{}; // codes of the sub-blocks' scales …
    std::array<std::uint8_t, 16> mins{};   // … and minimums
    std::uint16_t d = 0;
    std::uint16_t dmin = 0;
};

std::array<float, 32> plainWeights(const AffineType& type, std::span<const float> x) {
    std::array<float, 32> weights;
    const float average = type.group == 32 ? std::sqrt(sumOfSquares(x) / 32) : 0.0f;
    for (std::size_t i = 0; i < x.size(); ++i) weights[i] = type.group == 32 ? average + std::fabs(x[i]) : std::fabs(x[i]);
    return weights;
}

// The scale of scales in the plain form: the largest value takes the largest code. Codes above it can only come from rounding.
std::uint16_t plainScales(int levels, std::span<const float> values, std::span<std::uint8_t> codes) {
    float largest = 0;
    for (const float value : values)
        if (value > largest) largest = value;
    const auto top = static_cast<float>(levels);
    const float inverse = largest > 0 ? top / largest : 0.0f;
    for (std::size_t j = 0; j < values.size(); ++j) {
        const auto code = static_cast<std::uint8_t>(nearestInt(inverse * values[j]));
        codes[j] = levels == 63 ? std::min<std::uint8_t>(63, code) : code;
    }
    return f32ToF16(largest > 0 ? largest / top : 0.0f);
}

// With the scales as they are stored, every element takes its nearest code; a scale of 0 keeps the codes of the fit.
void finalCodes(const AffineType& type, std::span<const float> x, AffineBlock& block) {
    for (std::size_t j = 0; j < 256 / type.group; ++j) {
        const float d = f16ToF32(block.d) * static_cast<float>(block.scales[j]);
        if (d == 0) continue;
        const float m = f16ToF32(block.dmin) * static_cast<float>(block.mins[j]);
        for (std::size_t i = j * type.group; i < (j + 1) * type.group; ++i)
            block.codes[i] = static_cast<std::uint8_t>(clampInt(nearestInt((x[i] + m) / d), 0, type.levels));
    }
}

AffineBlock fitAffineBlock(const AffineType& type, const Block& block) {
    AffineBlock result;
    std::array<float, 16> scales{};
    std::array<float, 16> mins{};
    std::array<float, 16> groupWeights{};
    const std::size_t groups = 256 / type.group;
    const bool weighted = !block.weights.empty();
    std::array<float, 256> weights{};
    if (weighted) weights = columnWeights(block, type.meanSquareFactor * sumOfSquares(block.x) / 256);
    for (std::size_t j = 0; j < groups; ++j) {
        const auto x = block.x.subspan(j * type.group, type.group);
        const auto own = std::span<const float>(weights).subspan(j * type.group, type.group);
        const auto codes = std::span(result.codes).subspan(j * type.group, type.group);
        const std::array<float, 32> plain = weighted ? std::array<float, 32>{} : plainWeights(type, x);
        const AffineFit fit = weighted ? fitAffine(type.levels, x, own, type.weighted, codes)
                                       : fitAffine(type.levels, x, std::span(plain).first(type.group), type.plain, codes);
        scales[j] = fit.scale;
        mins[j] = fit.minimum;
        if (weighted) groupWeights[j] = sum(own);
    }
    const auto store = [&](std::array<float, 16>& values, std::array<std::uint8_t, 16>& codes) {
        const auto used = std::span(values).first(groups);
        const auto usedCodes = std::span(codes).first(groups);
        if (!weighted) return plainScales(type.scaleLevels, used, usedCodes);
        return f32ToF16(fitPositive(type.scaleLevels, used, std::span(groupWeights).first(groups), usedCodes));
    };
    result.d = store(scales, result.scales);
    result.dmin = store(mins, result.mins);
    return result;
}

void packTwoBits(std::byte* out, const Codes& codes) {
    for (std::size_t byte = 0; byte < 64; ++byte) {
        unsigned bits = 0;
        for (unsigned k = 0; k < 4; ++k) bits |= static_cast<unsigned>(codes[128 * (byte / 32) + 32 * k + byte % 32] & 3) << (2 * k);
        store(out + byte, static_cast<std::uint8_t>(bits));
    }
}

void packNibbles(std::byte* out, const Codes& codes) {
    for (std::size_t byte = 0; byte < 128; ++byte) {
        const std::size_t first = 64 * (byte / 32) + byte % 32;
        store(out + byte, static_cast<std::uint8_t>((codes[first] & 15) | (codes[first + 32] & 15) << 4));
    }
}

// Bit k of byte m is `bit` of element 32k+m.
void packBitPlane(std::byte* out, const Codes& codes, unsigned bit) {
    for (std::size_t m = 0; m < 32; ++m) {
        unsigned bits = 0;
        for (unsigned k = 0; k < 8; ++k) bits |= (codes[32 * k + m] >> bit & 1u) << k;
        store(out + m, static_cast<std::uint8_t>(bits));
    }
}

// The 12 bytes of Q4_K and Q5_K; fields of 6 bits, whose low four may come from wrapped codes.
void packScales6(std::byte* out, const AffineBlock& block) {
    std::array<std::uint8_t, 12> packed{};
    for (std::size_t j = 0; j < 8; ++j) {
        const unsigned scale = block.scales[j];
        const unsigned minimum = block.mins[j];
        if (j < 4) {
            packed[j] = static_cast<std::uint8_t>(scale);
            packed[j + 4] = static_cast<std::uint8_t>(minimum);
        } else {
            packed[j + 4] = static_cast<std::uint8_t>((scale & 15) | (minimum & 15) << 4);
            packed[j - 4] = static_cast<std::uint8_t>(packed[j - 4] | (scale >> 4) << 6);
            packed[j] = static_cast<std::uint8_t>(packed[j] | (minimum >> 4) << 6);
        }
    }
    for (std::size_t j = 0; j < 12; ++j) store(out + j, packed[j]);
}

// Codes of the scales as they read back from the 12 bytes.
void readBackScales6(const std::byte* packed, AffineBlock& block) {
    const layout::Scales6 scales = layout::unpackScales6(packed);
    std::ranges::copy(scales.scale, block.scales.begin());
    std::ranges::copy(scales.minimum, block.mins.begin());
}

struct SymmetricBlock {
    Codes codes{};
    std::array<float, 16> scales{};
};

// The signed scale of largest magnitude takes the most negative code.
float signedLargestScale(const SymmetricBlock& block) { return signedLargest(block.scales).value; }

std::array<std::uint8_t, 16> scaleCodesQ3(const SymmetricBlock& block, const Block& input, std::span<const float> groupWeights,
                                          std::uint16_t& d) {
    std::array<std::uint8_t, 16> codes{};
    if (!input.weights.empty()) {
        d = f32ToF16(fitSymmetric(32, block.scales, groupWeights, codes));
        return codes;
    }
    const float largest = signedLargestScale(block);
    d = 0;
    if (largest == 0) return codes;
    const float inverse = -32.0f / largest;
    d = f32ToF16(1 / inverse);
    for (std::size_t j = 0; j < 16; ++j)
        codes[j] = static_cast<std::uint8_t>(clampInt(static_cast<std::int8_t>(nearestInt(inverse * block.scales[j])), -32, 31) + 32);
    return codes;
}

void packScalesQ3(std::byte* out, const std::array<std::uint8_t, 16>& codes) {
    std::array<std::uint8_t, 12> packed{};
    for (std::size_t j = 0; j < 16; ++j) {
        packed[j % 8] = static_cast<std::uint8_t>(packed[j % 8] | (codes[j] & 15) << (j < 8 ? 0 : 4));
        packed[8 + j % 4] = static_cast<std::uint8_t>(packed[8 + j % 4] | (codes[j] >> 4 & 3) << (2 * (j / 4)));
    }
    for (std::size_t j = 0; j < 12; ++j) store(out + j, packed[j]);
}

SymmetricBlock fitQ3(const Block& block, std::span<float> groupWeights) {
    SymmetricBlock result;
    std::array<float, 256> weights{};
    if (!block.weights.empty()) weights = columnWeights(block, 2 * sumOfSquares(block.x) / 256);
    for (std::size_t j = 0; j < 16; ++j) {
        const auto x = block.x.subspan(16 * j, 16);
        const auto codes = std::span(result.codes).subspan(16 * j, 16);
        const auto own = std::span<const float>(weights).subspan(16 * j, 16);
        result.scales[j] = block.weights.empty() ? fitBySweeps(4, x, codes) : fitSymmetric(4, x, own, codes);
        groupWeights[j] = block.weights.empty() ? 0.0f : sum(own);
    }
    return result;
}

} // namespace

void encodeQ2K(const Block& block) {
    AffineBlock fitted = fitAffineBlock(q2, block);
    for (std::size_t j = 0; j < 16; ++j) {
        const auto both = static_cast<std::uint8_t>(fitted.scales[j] | fitted.mins[j] << 4);
        store(block.out + layout::Q2_K::scales + j, both);
        fitted.scales[j] = both & 15;
        fitted.mins[j] = both >> 4;
    }
    store(block.out + layout::Q2_K::d, fitted.d);
    store(block.out + layout::Q2_K::dmin, fitted.dmin);
    finalCodes(q2, block.x, fitted);
    packTwoBits(block.out + layout::Q2_K::codes, fitted.codes);
}

void encodeQ4K(const Block& block) {
    AffineBlock fitted = fitAffineBlock(q4, block);
    store(block.out + layout::Q4_K::d, fitted.d);
    store(block.out + layout::Q4_K::dmin, fitted.dmin);
    packScales6(block.out + layout::Q4_K::scales, fitted);
    readBackScales6(block.out + layout::Q4_K::scales, fitted);
    finalCodes(q4, block.x, fitted);
    packNibbles(block.out + layout::Q4_K::codes, fitted.codes);
}

void encodeQ5K(const Block& block) {
    AffineBlock fitted = fitAffineBlock(q5, block);
    store(block.out + layout::Q5_K::d, fitted.d);
    store(block.out + layout::Q5_K::dmin, fitted.dmin);
    packScales6(block.out + layout::Q5_K::scales, fitted);
    readBackScales6(block.out + layout::Q5_K::scales, fitted);
    finalCodes(q5, block.x, fitted);
    packBitPlane(block.out + layout::Q5_K::high, fitted.codes, 4);
    packNibbles(block.out + layout::Q5_K::codes, fitted.codes);
}

void encodeQ3K(const Block& block) {
    std::array<float, 16> groupWeights;
    SymmetricBlock fitted = fitQ3(block, groupWeights);
    std::uint16_t d = 0;
    const auto scales = scaleCodesQ3(fitted, block, groupWeights, d);
    store(block.out + layout::Q3_K::d, d);
    packScalesQ3(block.out + layout::Q3_K::scales, scales);
    const auto stored = layout::unpackScalesQ3(block.out + layout::Q3_K::scales);
    for (std::size_t j = 0; j < 16; ++j) {
        const float scale = f16ToF32(d) * static_cast<float>(stored[j]);
        if (scale == 0) continue;
        for (std::size_t i = 16 * j; i < 16 * j + 16; ++i)
            fitted.codes[i] = static_cast<std::uint8_t>(clampInt(nearestInt(block.x[i] / scale), -4, 3) + 4);
    }
    packBitPlane(block.out + layout::Q3_K::high, fitted.codes, 2);
    packTwoBits(block.out + layout::Q3_K::codes, fitted.codes);
}

void encodeQ6K(const Block& block) {
    SymmetricBlock fitted;
    for (std::size_t j = 0; j < 16; ++j) {
        const auto weights = block.weights.empty() ? block.weights : block.weights.subspan(16 * j, 16);
        fitted.scales[j] = fitSymmetric(32, block.x.subspan(16 * j, 16), weights, std::span(fitted.codes).subspan(16 * j, 16));
    }
    const float largest = signedLargestScale(fitted);
    if (std::fabs(largest) < 1e-15f) {
        std::fill_n(block.out, layout::Q6_K::bytes, std::byte{0});
        return;
    }
    const float inverse = -128.0f / largest;
    const std::uint16_t d = f32ToF16(1 / inverse);
    store(block.out + layout::Q6_K::d, d);
    for (std::size_t j = 0; j < 16; ++j) {
        const auto code = static_cast<std::int8_t>(std::min(127, nearestInt(inverse * fitted.scales[j])));
        store(block.out + layout::Q6_K::scales + j, code);
        const float scale = f16ToF32(d) * static_cast<float>(code);
        if (scale == 0) continue;
        for (std::size_t i = 16 * j; i < 16 * j + 16; ++i)
            fitted.codes[i] = static_cast<std::uint8_t>(clampInt(nearestInt(block.x[i] / scale), -32, 31) + 32);
    }
    for (std::size_t c = 0; c < 2; ++c) {
        for (std::size_t l = 0; l < 64; ++l) {
            const auto low = (fitted.codes[128 * c + l] & 15) | (fitted.codes[128 * c + 64 + l] & 15) << 4;
            store(block.out + layout::Q6_K::low + 64 * c + l, static_cast<std::uint8_t>(low));
        }
    }
    Codes high;
    for (std::size_t i = 0; i < 256; ++i) high[i] = fitted.codes[i] >> 4;
    packTwoBits(block.out + layout::Q6_K::high, high);
}

} // namespace wb::quant::scalar
