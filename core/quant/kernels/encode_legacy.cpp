// SPDX-License-Identifier: MIT
#include "core/quant/kernels/encoders.h"

#include "core/quant/kernels/fit.h"
#include "core/quant/kernels/rounding.h"
#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace wb::quant::scalar {
namespace {

using Codes = std::array<std::uint8_t, 32>;
constexpr AffineSearch weightedSearch{-0.9f, 0.05f, 36, false, true};

std::array<float, 32> blockWeights(const Block& block) {
    std::array<float, 32> weights;
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = block.weights[i] * std::sqrt(block.rowMeanSquare + block.x[i] * block.x[i]);
    return weights;
}

// Symmetric codes 0 … 2n-1 around n; returns d.
float symmetric(const Block& block, int n, Codes& codes) {
    if (!block.weights.empty()) return fitSymmetric(n, block.x, blockWeights(block), codes);
    const float d = signedLargest(block.x).value / static_cast<float>(-n);
    const float inverse = d != 0 ? 1.0f / d : 0.0f;
    const float offset = static_cast<float>(n) + 0.5f;
    for (std::size_t i = 0; i < codes.size(); ++i)
        codes[i] = static_cast<std::uint8_t>(std::min<int>(2 * n - 1, truncateToInt8(block.x[i] * inverse + offset)));
    return d;
}

struct Scale {
    float d, m;
};

// Codes 0 … n over the range of the block. The reference clamps them for Q4_1 only.
Scale affine(const Block& block, int n, bool clamped, Codes& codes) {
    if (!block.weights.empty()) {
        const AffineFit fit = fitAffine(n, block.x, blockWeights(block), weightedSearch, codes);
        return {fit.scale, -fit.minimum};
    }
    float low = std::numeric_limits<float>::max();
    float high = -low;
    for (const float x : block.x) {
        if (x < low) low = x;
        if (x > high) high = x;
    }
    const float d = (high - low) / static_cast<float>(n);
    const float inverse = d != 0 ? 1.0f / d : 0.0f;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        const int code = truncateToInt8((block.x[i] - low) * inverse + 0.5f);
        codes[i] = static_cast<std::uint8_t>(clamped ? std::min(n, code) : code);
    }
    return {d, low};
}

void storeNibbles(std::byte* out, const Codes& codes) {
    for (std::size_t j = 0; j < 16; ++j) store(out + j, static_cast<std::uint8_t>((codes[j] & 15) | (codes[j + 16] & 15) << 4));
}

void storeFifthBits(std::byte* out, const Codes& codes) {
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 32; ++j) bits |= static_cast<std::uint32_t>(codes[j] >> 4 & 1) << j;
    store(out, bits);
}

} // namespace

void encodeQ4_0(const Block& block) {
    Codes codes;
    store(block.out + layout::Q4_0::d, f32ToF16(symmetric(block, 8, codes)));
    storeNibbles(block.out + layout::Q4_0::codes, codes);
}

void encodeQ5_0(const Block& block) {
    Codes codes;
    store(block.out + layout::Q5_0::d, f32ToF16(symmetric(block, 16, codes)));
    storeFifthBits(block.out + layout::Q5_0::high, codes);
    storeNibbles(block.out + layout::Q5_0::codes, codes);
}

void encodeQ4_1(const Block& block) {
    Codes codes;
    const Scale scale = affine(block, 15, true, codes);
    store(block.out + layout::Q4_1::d, f32ToF16(scale.d));
    store(block.out + layout::Q4_1::m, f32ToF16(scale.m));
    storeNibbles(block.out + layout::Q4_1::codes, codes);
}

void encodeQ5_1(const Block& block) {
    Codes codes;
    const Scale scale = affine(block, 31, false, codes);
    store(block.out + layout::Q5_1::d, f32ToF16(scale.d));
    store(block.out + layout::Q5_1::m, f32ToF16(scale.m));
    storeFifthBits(block.out + layout::Q5_1::high, codes);
    storeNibbles(block.out + layout::Q5_1::codes, codes);
}

} // namespace wb::quant::scalar
