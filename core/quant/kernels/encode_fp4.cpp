// SPDX-License-Identifier: MIT
#include "core/quant/kernels/encoders.h"

#include "core/quant/kernels/rounding.h"
#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"
#include "core/tensor/tables.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace wb::quant::scalar {
namespace {

float largestMagnitude(std::span<const float> x) {
    float largest = 0;
    for (const float value : x) largest = std::max(largest, std::fabs(value));
    return largest;
}

// The level nearest to x; on ties the first, so that minus zero (code 8) is never chosen.
unsigned nearestLevel(float x, float scale) {
    unsigned best = 0;
    float bestError = std::fabs(static_cast<float>(tables::values_fp4[0]) * scale - x);
    for (unsigned code = 1; code < 16; ++code) {
        const float error = std::fabs(static_cast<float>(tables::values_fp4[code]) * scale - x);
        if (!(error < bestError)) continue;
        best = code;
        bestError = error;
    }
    return best;
}

void storeLevels(std::byte* out, std::span<const float> x, float scale) {
    const std::size_t half = x.size() / 2;
    for (std::size_t j = 0; j < half; ++j)
        store(out + j, static_cast<std::uint8_t>(nearestLevel(x[j], scale) | nearestLevel(x[j + half], scale) << 4));
}

// floor of the f32-rounded base-2 logarithm. The rounding lifts the few largest floats below 2^k to k; how many depends on how far
// apart the floats near k lie (docs/reference/gguf.md, "Direct types").
int floorLog2Rounded(float a) {
    const auto bits = std::bit_cast<std::uint32_t>(a);
    const bool normal = bits >> 23 != 0;
    // At most 44 floats are lifted, so that most need no logarithm.
    if (normal && (bits & 0x7FFFFF) < 0x7FFFFF - 64) return static_cast<int>(bits >> 23) - 127;
    const double exact = std::log2(static_cast<double>(a));
    return static_cast<int>(std::floor(static_cast<float>(exact)));
}

} // namespace

std::uint8_t mxfp4Exponent(float largest) {
    return static_cast<std::uint8_t>(largest > 0 ? floorLog2Rounded(largest) - 2 + 127 : 0);
}

void encodeMxfp4(const Block& block) {
    const std::uint8_t exponent = mxfp4Exponent(largestMagnitude(block.x));
    store(block.out + layout::MXFP4::scale, exponent);
    storeLevels(block.out + layout::MXFP4::codes, block.x, e8m0HalfToF32(exponent));
}

void encodeNvfp4(const Block& block) {
    for (std::size_t s = 0; s < 4; ++s) {
        const auto x = block.x.subspan(16 * s, 16);
        const std::uint8_t scale = f32ToUe4m3(largestMagnitude(x) / 6.0f);
        store(block.out + layout::NVFP4::scales + s, scale);
        storeLevels(block.out + layout::NVFP4::codes + 8 * s, x, ue4m3HalfToF32(scale));
    }
}

} // namespace wb::quant::scalar
