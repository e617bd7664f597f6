// SPDX-License-Identifier: MIT
#include "core/merge/kernels.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <cmath>

namespace wb::merge::scalar {

bool areFinite(std::span<const float> values) {
    return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

void subtract(std::span<const float> left, const float* right, float* out) {
    for (std::size_t i = 0; i < left.size(); ++i) out[i] = left[i] - right[i];
}

void dropSmall(std::span<float> values, const Kept& kept, std::uint64_t& equalBefore) {
    for (float& value : values) {
        const std::uint32_t bits = magnitudeBits(value);
        bool stays = bits > kept.threshold;
        if (bits == kept.threshold) stays = equalBefore++ < kept.equal;
        if (!stays) value = 0;
    }
}

void multiply(std::span<float> values, float factor) {
    for (float& value : values) value *= factor;
}

void divide(std::span<float> values, float by) {
    for (float& value : values) value /= by;
}

void addScaled(std::span<const float> values, float factor, float* sums) {
    for (std::size_t i = 0; i < values.size(); ++i) sums[i] += factor * values[i];
}

void addElected(std::span<const float> values, const float* signs, float weight, float* sums, float* weights) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool counts = signs[i] >= 0 ? values[i] > 0 : values[i] < 0;
        sums[i] += counts ? values[i] : 0.0f;
        weights[i] += counts ? weight : 0.0f;
    }
}

void divide(std::span<float> values, const float* by) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] /= by[i] == 0 ? 1.0f : by[i];
}

void addProduct(std::span<float> values, const ProductRow& row, float factor) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        float sum = 0;
        for (std::size_t k = 0; k < row.left.size(); ++k) sum += row.left[k] * row.right[k * row.stride + i];
        values[i] += factor * sum;
    }
}

void countLowBits(std::span<const float> left, const float* right, std::uint32_t high, unsigned lowBits, std::uint32_t* counts) {
    for (std::size_t i = 0; i < left.size(); ++i) {
        const std::uint32_t bits = magnitudeBits(right[i] - left[i]);
        if (bits >> lowBits == high) ++counts[bits & ((1u << lowBits) - 1)];
    }
}

std::uint64_t countMagnitude(std::span<const float> left, const float* right, std::uint32_t magnitude) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < left.size(); ++i) count += magnitudeBits(right[i] - left[i]) == magnitude;
    return count;
}

void storeBf16(std::span<const float> values, std::byte* out) {
    for (std::size_t i = 0; i < values.size(); ++i) wb::store(&out[2 * i], f32ToBf16(values[i]));
}

} // namespace wb::merge::scalar
