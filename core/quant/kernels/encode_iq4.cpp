// SPDX-License-Identifier: MIT
#include "core/quant/kernels/encoders.h"

#include "core/quant/kernels/fit.h"
#include "core/quant/kernels/rounding.h"
#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"
#include "core/tensor/tables.h"

#include <array>
#include <cmath>

namespace wb::quant::scalar {
namespace {

constexpr auto& levels = tables::values_iq4;

// The nearest of the sixteen levels by bisection; ties go up.
unsigned nearestLevel(float y) {
    if (y <= static_cast<float>(levels[0])) return 0;
    if (y >= static_cast<float>(levels[15])) return 15;
    unsigned low = 0;
    unsigned high = 15;
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        if (y < static_cast<float>(levels[middle])) high = middle;
        else low = middle;
    }
    return y - static_cast<float>(levels[low]) < static_cast<float>(levels[high]) - y ? low : high;
}

struct Sums {
    float lx = 0;
    float l2 = 0;
};

Sums sumsFor(float inverse, std::span<const float> x, std::span<const float> weights) {
    Sums sums;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto level = static_cast<float>(levels[nearestLevel(inverse * x[i])]);
        sums.lx += weights[i] * level * x[i];
        sums.l2 += weights[i] * level * level;
    }
    return sums;
}

// The scale of one group of 32 with the best weighted fit among sixteen candidates; 0 for an empty group.
float fitScale(std::span<const float> x, std::span<const float> weights) {
    const SignedLargest largest = signedLargest(x);
    if (largest.magnitude < 1e-15f) return 0;
    const float start = -largest.value / static_cast<float>(levels[0]);
    const Sums first = sumsFor(1 / start, x, weights);
    float d = first.l2 > 0 ? first.lx / first.l2 : 0.0f;
    float best = d * first.lx;
    for (int t = -7; t <= 7; ++t) {
        const Sums sums = sumsFor(static_cast<float>(t + levels[0]) / largest.value, x, weights);
        if (!(sums.l2 > 0 && sums.lx * sums.lx > best * sums.l2)) continue;
        d = sums.lx / sums.l2;
        best = d * sums.lx;
    }
    return d;
}

std::array<float, 256> blockWeights(const Block& block) {
    float sum = 0;
    for (const float x : block.x) sum += x * x;
    const float meanSquare = sum * (2.0f / static_cast<float>(block.x.size()));
    std::array<float, 256> weights;
    for (std::size_t i = 0; i < block.x.size(); ++i) {
        const float square = block.x[i] * block.x[i];
        weights[i] = block.weights.empty() ? square : block.weights[i] * std::sqrt(meanSquare + square);
    }
    return weights;
}

void storeLevels(std::byte* out, std::span<const float> x, float inverse) {
    for (std::size_t j = 0; j < 16; ++j)
        store(out + j, static_cast<std::uint8_t>(nearestLevel(inverse * x[j]) | nearestLevel(inverse * x[j + 16]) << 4));
}

} // namespace

void encodeIq4Nl(const Block& block) {
    const auto weights = blockWeights(block);
    const float d = fitScale(block.x, std::span(weights).first(32));
    store(block.out + layout::IQ4_NL::d, f32ToF16(d));
    storeLevels(block.out + layout::IQ4_NL::codes, block.x, d != 0 ? 1 / d : 0.0f);
}

void encodeIq4Xs(const Block& block) {
    const auto weights = blockWeights(block);
    std::array<float, 8> scales;
    for (std::size_t b = 0; b < 8; ++b) scales[b] = fitScale(block.x.subspan(32 * b, 32), std::span(weights).subspan(32 * b, 32));
    const float d = -signedLargest(scales).value / 32;
    const float inverse = d != 0 ? 1 / d : 0.0f;
    unsigned highs = 0;
    std::array<unsigned, 4> lows{};
    for (std::size_t b = 0; b < 8; ++b) {
        const int code = clampInt(nearestInt(inverse * scales[b]), -32, 31);
        // The codes follow the unrounded super-scale, not the f16 that is stored.
        const float scale = d * static_cast<float>(code);
        storeLevels(block.out + layout::IQ4_XS::codes + 16 * b, block.x.subspan(32 * b, 32), scale != 0 ? 1 / scale : 0.0f);
        const auto stored = static_cast<unsigned>(code + 32);
        highs |= stored >> 4 << (2 * b);
        lows[b / 2] |= (stored & 15) << (4 * (b % 2));
    }
    store(block.out + layout::IQ4_XS::d, f32ToF16(d));
    store(block.out + layout::IQ4_XS::scalesHigh, static_cast<std::uint16_t>(highs));
    for (std::size_t i = 0; i < 4; ++i) store(block.out + layout::IQ4_XS::scalesLow + i, static_cast<std::uint8_t>(lows[i]));
}

} // namespace wb::quant::scalar
