// SPDX-License-Identifier: MIT
#include "core/quant/k_blocks.h"

#include "core/quant/rounding.h"
#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <cmath>

namespace wb::quant {
namespace {

void affineCodes(const AffineType& type, const FinalStep& step, const AffineScales& scales, Codes256& codes) {
    for (std::size_t j = 0; j < type.groups(); ++j) {
        const auto own = std::span(codes).subspan(j * type.group, type.group);
        const float d = f16ToF32(scales.d) * static_cast<float>(scales.scale[j]);
        const float m = f16ToF32(scales.dmin) * static_cast<float>(scales.minimum[j]);
        if (d == 0) step.keep(j, own);
        else step.divide(step.x.subspan(j * type.group, type.group), m, d, 0, type.levels, 0, own);
    }
}

void symmetricCodes(const FinalStep& step, int n, std::uint16_t d, const std::array<std::int8_t, 16>& scales, Codes256& codes) {
    for (std::size_t j = 0; j < 16; ++j) {
        const auto own = std::span(codes).subspan(16 * j, 16);
        const float scale = f16ToF32(d) * static_cast<float>(scales[j]);
        if (scale == 0) step.keep(j, own);
        else step.divide(step.x.subspan(16 * j, 16), 0, scale, -n, n - 1, n, own);
    }
}

// The 12 bytes of Q4_K and Q5_K.
void packScales6(std::byte* out, const AffineScales& scales) {
    std::array<std::uint8_t, 12> packed{};
    for (std::size_t j = 0; j < 8; ++j) {
        const unsigned scale = scales.scale[j];
        const unsigned minimum = scales.minimum[j];
        if (j < 4) {
            packed[j] = static_cast<std::uint8_t>(scale);
            packed[j + 4] = static_cast<std::uint8_t>(minimum);
        } else {
            packed[j + 4] = static_cast<std::uint8_t>((scale & 15) | (minimum & 15) << 4);
            packed[j - 4] = static_cast<std::uint8_t>(packed[j - 4] | (scale >> 4) << 6);
            packed[j] = static_cast<std::uint8_t>(packed[j] | (minimum >> 4) << 6);
        }
    }
    std::ranges::copy(std::as_bytes(std::span(packed)), out);
}

// Writes d, dmin and the packed scales, and takes the scales as they read back.
void storeScales6(std::byte* d, std::byte* dmin, std::byte* packed, AffineScales& scales) {
    store(d, scales.d);
    store(dmin, scales.dmin);
    packScales6(packed, scales);
    const layout::Scales6 stored = layout::unpackScales6(packed);
    std::ranges::copy(stored.scale, scales.scale.begin());
    std::ranges::copy(stored.minimum, scales.minimum.begin());
}

void packScalesQ3(std::byte* out, const std::array<std::uint8_t, 16>& codes) {
    std::array<std::uint8_t, 12> packed{};
    for (std::size_t j = 0; j < 16; ++j) {
        packed[j % 8] = static_cast<std::uint8_t>(packed[j % 8] | (codes[j] & 15) << (j < 8 ? 0 : 4));
        packed[8 + j % 4] = static_cast<std::uint8_t>(packed[8 + j % 4] | (codes[j] >> 4 & 3) << (2 * (j / 4)));
    }
    std::ranges::copy(std::as_bytes(std::span(packed)), out);
}

} // namespace

void divideToCodesScalar(std::span<const float> x, float m, float d, int low, int high, int shift, std::span<std::uint8_t> codes) {
    for (std::size_t i = 0; i < x.size(); ++i)
        codes[i] = static_cast<std::uint8_t>(clampInt(nearestInt((x[i] + m) / d), low, high) + shift);
}

std::uint16_t plainScaleCodes(int levels, std::span<const float> values, std::span<std::uint8_t> codes) {
    float largest = 0;
    for (const float value : values)
        if (value > largest) largest = value;
    const auto top = static_cast<float>(levels);
    const float inverse = largest > 0 ? top / largest : 0.0f;
    for (std::size_t j = 0; j < values.size(); ++j) {
        const auto code = static_cast<std::uint8_t>(nearestInt(inverse * values[j]));
        // Q4_K and Q5_K clamp here, Q2_K does not.
        codes[j] = levels == 63 ? std::min<std::uint8_t>(63, code) : code;
    }
    return f32ToF16(largest > 0 ? largest / top : 0.0f);
}

std::uint16_t plainScaleCodesQ3(const std::array<float, 16>& fitted, std::array<std::uint8_t, 16>& codes) {
    const float largest = signedLargest(fitted).value;
    codes.fill(0);
    if (largest == 0) return 0;
    const float inverse = -32.0f / largest;
    for (std::size_t j = 0; j < 16; ++j)
        codes[j] = static_cast<std::uint8_t>(clampInt(static_cast<std::int8_t>(nearestInt(inverse * fitted[j])), -32, 31) + 32);
    return f32ToF16(1 / inverse);
}

void finishQ2K(const FinalStep& step, AffineScales& scales, std::byte* out) {
    for (std::size_t j = 0; j < 16; ++j) {
        const auto both = static_cast<std::uint8_t>(scales.scale[j] | scales.minimum[j] << 4);
        store(out + layout::Q2_K::scales + j, both);
        scales.scale[j] = both & 15;
        scales.minimum[j] = both >> 4;
    }
    store(out + layout::Q2_K::d, scales.d);
    store(out + layout::Q2_K::dmin, scales.dmin);
    Codes256 codes;
    affineCodes(affineQ2, step, scales, codes);
    packTwoBits(out + layout::Q2_K::codes, codes);
}

void finishQ4K(const FinalStep& step, AffineScales& scales, std::byte* out) {
    storeScales6(out + layout::Q4_K::d, out + layout::Q4_K::dmin, out + layout::Q4_K::scales, scales);
    Codes256 codes;
    affineCodes(affineQ4, step, scales, codes);
    packNibbles(out + layout::Q4_K::codes, codes, 32);
}

void finishQ5K(const FinalStep& step, AffineScales& scales, std::byte* out) {
    storeScales6(out + layout::Q5_K::d, out + layout::Q5_K::dmin, out + layout::Q5_K::scales, scales);
    Codes256 codes;
    affineCodes(affineQ5, step, scales, codes);
    packBitPlane(out + layout::Q5_K::high, codes, 4);
    packNibbles(out + layout::Q5_K::codes, codes, 32);
}

void finishQ3K(const FinalStep& step, const std::array<std::uint8_t, 16>& scaleCodes, std::uint16_t d, std::byte* out) {
    store(out + layout::Q3_K::d, d);
    packScalesQ3(out + layout::Q3_K::scales, scaleCodes);
    Codes256 codes;
    symmetricCodes(step, 4, d, layout::unpackScalesQ3(out + layout::Q3_K::scales), codes);
    packBitPlane(out + layout::Q3_K::high, codes, 2);
    packTwoBits(out + layout::Q3_K::codes, codes);
}

void finishQ6K(const FinalStep& step, const std::array<float, 16>& fitted, std::byte* out) {
    const float largest = signedLargest(fitted).value;
    if (std::fabs(largest) < 1e-15f) {
        std::fill_n(out, layout::Q6_K::bytes, std::byte{0});
        return;
    }
    const float inverse = -128.0f / largest;
    const std::uint16_t d = f32ToF16(1 / inverse);
    store(out + layout::Q6_K::d, d);
    std::array<std::int8_t, 16> scales;
    for (std::size_t j = 0; j < 16; ++j) scales[j] = static_cast<std::int8_t>(std::min(127, nearestInt(inverse * fitted[j])));
    std::ranges::copy(std::as_bytes(std::span(scales)), out + layout::Q6_K::scales);
    Codes256 codes;
    symmetricCodes(step, 32, d, scales, codes);
    packNibbles(out + layout::Q6_K::low, codes, 64);
    for (std::uint8_t& code : codes) code = static_cast<std::uint8_t>(code >> 4);
    packTwoBits(out + layout::Q6_K::high, codes);
}

} // namespace wb::quant
