// SPDX-License-Identifier: MIT
#include "core/quant/kernels/encoders.h"

#include "core/quant/kernels/k_blocks.h"
#include "core/quant/kernels/rounding.h"
#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <cmath>

namespace wb::quant::scalar {
namespace {

float sumOfSquares(std::span<const float> x) {
    float sum = 0;
    for (const float value : x) sum += value * value;
    return sum;
}

float sum(std::span<const float> values) {
    float total = 0;
    for (const float value : values) total += value;
    return total;
}

// u·sqrt(σ² + x²), the weights of every weighted K type but Q6_K.
std::array<float, 256> columnWeights(const Block& block, float meanSquare) {
    std::array<float, 256> weights;
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = block.weights[i] * std::sqrt(meanSquare + block.x[i] * block.x[i]);
    return weights;
}

std::array<float, 256> plainWeights(const AffineType& type, std::span<const float> x) {
    std::array<float, 256> weights;
    for (std::size_t j = 0; j < type.groups(); ++j) {
        const auto own = x.subspan(j * type.group, type.group);
        const float average = type.group == 32 ? std::sqrt(sumOfSquares(own) / 32) : 0.0f;
        for (std::size_t i = 0; i < type.group; ++i) weights[j * type.group + i] = average + std::fabs(own[i]);
    }
    return weights;
}

// The last step for all groups; `codes` holds those of the fits.
void finish(std::span<const float> x, const GroupUnits& units, Codes256& codes) {
    for (std::size_t j = 0; j < units.groups(); ++j) {
        if (units.d[j] == 0) continue;
        for (std::size_t i = j * units.group; i < (j + 1) * units.group; ++i)
            codes[i] = static_cast<std::uint8_t>(clampInt(nearestInt((x[i] + units.m[j]) / units.d[j]), units.low, units.high) -
                                                 units.low);
    }
}

using StoreScales = GroupUnits (*)(const AffineScales&, std::byte*);
using StoreCodes = void (*)(const Codes256&, std::byte*);

void encodeAffine(const AffineType& type, const Block& block, StoreScales storeScales, StoreCodes storeCodes) {
    const bool weighted = !block.weights.empty();
    const float meanSquare = type.meanSquareFactor * sumOfSquares(block.x) / 256;
    const auto weights = weighted ? columnWeights(block, meanSquare) : plainWeights(type, block.x);
    std::array<float, 16> scales{};
    std::array<float, 16> mins{};
    std::array<float, 16> groupWeights{};
    Codes256 codes;
    const auto group = [&](auto& values, std::size_t j) { return std::span(values).subspan(j * type.group, type.group); };
    for (std::size_t j = 0; j < type.groups(); ++j) {
        const AffineFit fit =
            fitAffine(type.levels, group(block.x, j), group(weights, j), weighted ? type.weighted : type.plain, group(codes, j));
        scales[j] = fit.scale;
        mins[j] = fit.minimum;
        groupWeights[j] = sum(group(weights, j));
    }
    const auto codesOf = [&](std::span<const float> values, std::span<std::uint8_t> out) {
        values = values.first(type.groups());
        out = out.first(type.groups());
        if (!weighted) return plainScaleCodes(type.scaleLevels, values, out);
        const float unit = fitPositive(type.scaleLevels, values, std::span(groupWeights).first(type.groups()), out);
        for (std::uint8_t& code : out) code = std::min(code, type.maxFitted);
        return f32ToF16(unit);
    };
    AffineScales stored;
    stored.d = codesOf(scales, stored.scale);
    stored.dmin = codesOf(mins, stored.minimum);
    finish(block.x, storeScales(stored, block.out), codes);
    storeCodes(codes, block.out);
}

} // namespace

void encodeQ2K(const Block& block) { encodeAffine(affineQ2, block, storeScalesQ2K, storeCodesQ2K); }
void encodeQ4K(const Block& block) { encodeAffine(affineQ4, block, storeScalesQ4K, storeCodesQ4K); }
void encodeQ5K(const Block& block) { encodeAffine(affineQ5, block, storeScalesQ5K, storeCodesQ5K); }

void encodeQ3K(const Block& block) {
    const bool weighted = !block.weights.empty();
    const auto weights = weighted ? columnWeights(block, 2 * sumOfSquares(block.x) / 256) : std::array<float, 256>{};
    std::array<float, 16> scales;
    std::array<float, 16> groupWeights;
    Codes256 codes;
    for (std::size_t j = 0; j < 16; ++j) {
        const auto x = block.x.subspan(16 * j, 16);
        const auto own = std::span(weights).subspan(16 * j, 16);
        const auto out = std::span(codes).subspan(16 * j, 16);
        scales[j] = weighted ? fitSymmetric(4, x, own, out) : fitBySweeps(4, x, out);
        groupWeights[j] = sum(own);
    }
    std::array<std::uint8_t, 16> scaleCodes;
    const std::uint16_t d =
        weighted ? f32ToF16(fitSymmetric(32, scales, groupWeights, scaleCodes)) : plainScaleCodesQ3(scales, scaleCodes);
    finish(block.x, storeScalesQ3K(scaleCodes, d, block.out), codes);
    storeCodesQ3K(codes, block.out);
}

void encodeQ6K(const Block& block) {
    std::array<float, 16> scales;
    Codes256 codes;
    for (std::size_t j = 0; j < 16; ++j) {
        const auto weights = block.weights.empty() ? block.weights : block.weights.subspan(16 * j, 16);
        scales[j] = fitSymmetric(32, block.x.subspan(16 * j, 16), weights, std::span(codes).subspan(16 * j, 16));
    }
    const auto stored = scaleCodesQ6(scales);
    if (!stored) {
        std::fill_n(block.out, layout::Q6_K::bytes, std::byte{0});
        return;
    }
    finish(block.x, storeScalesQ6K(*stored, block.out), codes);
    storeCodesQ6K(codes, block.out);
}

} // namespace wb::quant::scalar
