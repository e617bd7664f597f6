// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/rows_simd.h"

#include "core/infer/cpu/kernels/exact.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <cmath>

namespace wb::infer::cpu {
namespace {

// ---- rows

void quantizeRecord(const float* values, std::byte* record, std::size_t token, std::size_t width) {
    float absmax = 0;
    for (std::size_t i = 0; i < recordColumns; ++i) absmax = std::max(absmax, std::fabs(values[i]));
    const float scale = absmax / 127.0F;
    const float inverse = absmax > minMagnitude ? 127.0F / absmax : 0.0F;
    std::array<std::int32_t, 2> sums{};
    for (std::size_t i = 0; i < recordColumns; ++i) {
        const auto code = static_cast<std::int8_t>(std::nearbyint(values[i] * inverse));
        record[token * recordColumns + i] = static_cast<std::byte>(code);
        sums[i / 16] += code;
    }
    store(record + 32 * width + 4 * token, scale);
    store(record + 36 * width + 4 * token, -sums[0]);
    store(record + 40 * width + 4 * token, -sums[1]);
    store(record + 44 * width + 4 * token, scale * static_cast<float>(sums[0] + sums[1]));
}

void quantize(const float* values, std::size_t columns, std::byte* group, std::size_t token, std::size_t width) {
    for (std::size_t k = 0; k < columns; k += recordColumns)
        quantizeRecord(values + k, group + k / recordColumns * 48 * width, token, width);
}

void rmsNorm(const float* x, const float* weight, float epsilon, std::size_t count, float* out) {
    LaneSums sums{};
    for (std::size_t i = 0; i < count; ++i) sums[i % sumLanes] = fusedMultiplyAdd(x[i], x[i], sums[i % sumLanes]);
    const float factor = 1.0F / std::sqrt(foldLanes(sums) / static_cast<float>(count) + epsilon);
    for (std::size_t i = 0; i < count; ++i) out[i] = x[i] * factor * weight[i];
}

void layerNorm(const float* x, const float* weight, const float* bias, float epsilon, std::size_t count, float* out) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < count; ++i) sum += static_cast<double>(x[i]);
    const double mean = sum / static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i) squares += (x[i] - mean) * (x[i] - mean);
    const auto variance = static_cast<float>(squares / static_cast<double>(count));
    const float factor = 1.0F / std::sqrt(variance + epsilon);
    for (std::size_t i = 0; i < count; ++i)
        out[i] = (x[i] - static_cast<float>(mean)) * factor * weight[i] + (bias ? bias[i] : 0.0F);
}

// ---- activations (docs/reference/inference.md, "Activations")

float silu(float x) { return gated(x, x); }
float geluTanh(float x) { return 0.5F * x * (1.0F + std::tanh(0.79788456080286535588F * x * (1.0F + 0.044715F * x * x))); }
float geluErf(float x) { return 0.5F * x * (1.0F + std::erf(x * 0.70710678118654752440F)); }
float relu(float x) { return std::max(x, 0.0F); }
float reluSquared(float x) { return relu(x) * relu(x); }

template <float (*act)(float)>
void activate(float* gate, const float* up, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) gate[i] = act(gate[i]) * (up ? up[i] : 1.0F);
}

void clampedSwiglu(float* gate, const float* up, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const float x = std::min(gate[i], 7.0F);
        gate[i] = gated(x, 1.702F * x) * (std::clamp(up[i], -7.0F, 7.0F) + 1.0F);
    }
}

void softcap(float* values, std::size_t count, float cap) {
    for (std::size_t i = 0; i < count; ++i) values[i] = cap * std::tanh(values[i] / cap);
}

void addScaled(float* sum, const float* addend, float scale, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) sum[i] = fusedMultiplyAdd(scale, addend[i], sum[i]);
}

void rotate(float* head, const float* cosines, const float* sines, std::size_t pairs, bool halves) {
    for (std::size_t j = 0; j < pairs; ++j) {
        float& a = head[halves ? j : 2 * j];
        float& b = head[halves ? j + pairs : 2 * j + 1];
        const float x = a, y = b;
        a = x * cosines[j] - y * sines[j];
        b = x * sines[j] + y * cosines[j];
    }
}

void toF16(const float* values, std::size_t count, std::uint16_t* out) { std::transform(values, values + count, out, f32ToF16); }

void softmax(float* scores, std::size_t first, std::size_t end, std::size_t paddedEnd, float sink) {
    const float highest = std::max(sink, *std::max_element(scores + first, scores + end));
    LaneSums sums{};
    for (std::size_t p = first; p < end; ++p) {
        const float less = scores[p] - highest;
        scores[p] = less > minExponent ? exponential(less) : 0.0F;
        sums[p % sumLanes] += scores[p];
    }
    const float inverse = 1.0F / (foldLanes(sums) + std::exp(sink - highest));
    for (std::size_t p = first; p < end; ++p) scores[p] *= inverse;
    std::fill(scores + first / keyTile * keyTile, scores + first, 0.0F);
    std::fill(scores + end, scores + paddedEnd, 0.0F);
}

} // namespace

RowForms rowsScalar() {
    return {
        quantize,  rmsNorm,
        layerNorm, {activate<silu>, activate<geluTanh>, activate<geluErf>, activate<relu>, activate<reluSquared>, clampedSwiglu},
        softcap,   addScaled,
        rotate,    toF16,
        softmax};
}

} // namespace wb::infer::cpu
