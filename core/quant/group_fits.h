// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/fit.h"

#include <cstddef>
#include <cstdint>
#include <span>

// The fitting procedures of fit.h for many groups at once: one group a SIMD lane, each lane in the reference's own order of
// operations, so that every scale and code equals the scalar form's bit for bit (specs/gguf_and_quantization.md 12).
//
// Groups lie one after another; x.size() is a multiple of `group`. Weights have the same layout. `codes` may be empty where the
// caller only needs the scales.
namespace wb::quant {

void fitSymmetricGroups(int n, std::size_t group, std::span<const float> x, std::span<const float> weights, std::span<float> scales,
                        std::span<std::uint8_t> codes);

void fitBySweepsGroups(int n, std::size_t group, std::span<const float> x, std::span<float> scales);

void fitAffineGroups(int n, std::size_t group, std::span<const float> x, std::span<const float> weights, const AffineSearch& search,
                     std::span<AffineFit> fits, std::span<std::uint8_t> codes);

void fitPositiveGroups(int n, std::size_t group, std::span<const float> x, std::span<const float> weights, std::span<float> scales,
                       std::span<std::uint8_t> codes);

// Σ values of each group, walked in order.
void sumGroups(std::size_t group, std::span<const float> values, std::span<float> sums);

// Σ x² of each group, walked in order.
void sumSquaresGroups(std::size_t group, std::span<const float> x, std::span<float> sums);

// weights[i] = columns[i] · sqrt(mean + x[i]²).
void columnWeights(std::span<const float> x, std::span<const float> columns, float mean, std::span<float> weights);

// weights[i] = mean + |x[i]|.
void absWeights(std::span<const float> x, float mean, std::span<float> weights);

// codes[i] = clamp(nearest((x[i] + m) / d), low, high) + shift.
void divideToCodes(std::span<const float> x, float m, float d, int low, int high, int shift, std::span<std::uint8_t> codes);

} // namespace wb::quant
