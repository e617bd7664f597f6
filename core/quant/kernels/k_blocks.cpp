// SPDX-License-Identifier: MIT
#include "core/quant/kernels/k_blocks.h"

#include "core/quant/kernels/rounding.h"
#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace wb::quant {
namespace {

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

// Writes d, dmin and the packed scales; the units follow the scales as they read back.
GroupUnits storeScales6(const AffineType& type, const AffineScales& scales, std::byte* d, std::byte* dmin, std::byte* packed) {
    store(d, scales.d);
    store(dmin, scales.dmin);
    packScales6(packed, scales);
    const layout::Scales6 stored = layout::unpackScales6(packed);
    GroupUnits units{type.group, 0, type.levels, {}, {}};
    const float unit = f16ToF32(scales.d);
    const float unitMin = f16ToF32(scales.dmin);
    for (std::size_t j = 0; j < type.groups(); ++j) {
        units.d[j] = unit * static_cast<float>(stored.scale[j]);
        units.m[j] = unitMin * static_cast<float>(stored.minimum[j]);
    }
    return units;
}

GroupUnits symmetricUnits(int n, std::uint16_t d, const std::array<std::int8_t, 16>& scales) {
    GroupUnits units{16, -n, n - 1, {}, {}};
    const float unit = f16ToF32(d);
    for (std::size_t j = 0; j < 16; ++j) units.d[j] = unit * static_cast<float>(scales[j]);
    return units;
}

// Low nibbles of scales 0-7 and, above them, 8-15; then the high pairs of scales 4k … 4k+3 in bits 2k.
void packScalesQ3(std::byte* out, std::span<const std::uint8_t, 16> codes) {
    std::array<std::uint32_t, 4> words;
    std::memcpy(words.data(), codes.data(), sizeof words);
    const auto nibbles = [&](unsigned k) { return words[k] & 0x0F0F0F0F; };
    std::uint32_t high = 0;
    for (unsigned k = 0; k < 4; ++k) high |= (words[k] >> 4 & 0x03030303) << (2 * k);
    store(out, nibbles(0) | nibbles(2) << 4);
    store(out + 4, nibbles(1) | nibbles(3) << 4);
    store(out + 8, high);
}

} // namespace

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

std::uint16_t plainScaleCodesQ3(std::span<const float, 16> fitted, std::span<std::uint8_t, 16> codes) {
    const float largest = signedLargest(fitted).value;
    std::ranges::fill(codes, 0);
    if (largest == 0) return 0;
    const float inverse = -32.0f / largest;
    for (std::size_t j = 0; j < 16; ++j)
        codes[j] = static_cast<std::uint8_t>(clampInt(static_cast<std::int8_t>(nearestInt(inverse * fitted[j])), -32, 31) + 32);
    return f32ToF16(1 / inverse);
}

std::optional<ScalesQ6> scaleCodesQ6(std::span<const float, 16> fitted) {
    const float largest = signedLargest(fitted).value;
    if (std::fabs(largest) < 1e-15f) return std::nullopt;
    const float inverse = -128.0f / largest;
    ScalesQ6 scales{{}, f32ToF16(1 / inverse)};
    for (std::size_t j = 0; j < 16; ++j) scales.codes[j] = static_cast<std::int8_t>(std::min(127, nearestInt(inverse * fitted[j])));
    return scales;
}

GroupUnits storeScalesQ2K(const AffineScales& scales, std::byte* out) {
    store(out + layout::Q2_K::d, scales.d);
    store(out + layout::Q2_K::dmin, scales.dmin);
    GroupUnits units{16, 0, 3, {}, {}};
    const float unit = f16ToF32(scales.d);
    const float unitMin = f16ToF32(scales.dmin);
    for (std::size_t j = 0; j < 16; ++j) {
        const auto both = static_cast<std::uint8_t>(scales.scale[j] | scales.minimum[j] << 4);
        store(out + layout::Q2_K::scales + j, both);
        units.d[j] = unit * static_cast<float>(both & 15);
        units.m[j] = unitMin * static_cast<float>(both >> 4);
    }
    return units;
}

GroupUnits storeScalesQ4K(const AffineScales& scales, std::byte* out) {
    return storeScales6(affineQ4, scales, out + layout::Q4_K::d, out + layout::Q4_K::dmin, out + layout::Q4_K::scales);
}

GroupUnits storeScalesQ5K(const AffineScales& scales, std::byte* out) {
    return storeScales6(affineQ5, scales, out + layout::Q5_K::d, out + layout::Q5_K::dmin, out + layout::Q5_K::scales);
}

GroupUnits storeScalesQ3K(std::span<const std::uint8_t, 16> scaleCodes, std::uint16_t d, std::byte* out) {
    store(out + layout::Q3_K::d, d);
    packScalesQ3(out + layout::Q3_K::scales, scaleCodes);
    return symmetricUnits(4, d, layout::unpackScalesQ3(out + layout::Q3_K::scales));
}

GroupUnits storeScalesQ6K(const ScalesQ6& scales, std::byte* out) {
    store(out + layout::Q6_K::d, scales.d);
    std::ranges::copy(std::as_bytes(std::span(scales.codes)), out + layout::Q6_K::scales);
    return symmetricUnits(32, scales.d, scales.codes);
}

void storeCodesQ2K(const Codes256& codes, std::byte* out) { packTwoBits(out + layout::Q2_K::codes, codes); }

void storeCodesQ3K(const Codes256& codes, std::byte* out) {
    packBitPlane(out + layout::Q3_K::high, codes, 2);
    packTwoBits(out + layout::Q3_K::codes, codes);
}

void storeCodesQ4K(const Codes256& codes, std::byte* out) { packNibbles(out + layout::Q4_K::codes, codes, 32); }

void storeCodesQ5K(const Codes256& codes, std::byte* out) {
    packBitPlane(out + layout::Q5_K::high, codes, 4);
    packNibbles(out + layout::Q5_K::codes, codes, 32);
}

void storeCodesQ6K(const Codes256& codes, std::byte* out) {
    packNibbles(out + layout::Q6_K::low, codes, 64);
    Codes256 high;
    for (std::size_t i = 0; i < codes.size(); ++i) high[i] = static_cast<std::uint8_t>(codes[i] >> 4);
    packTwoBits(out + layout::Q6_K::high, high);
}

} // namespace wb::quant
