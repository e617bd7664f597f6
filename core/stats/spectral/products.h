// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

// The inner loop of all matrix products of this folder, with a readable twin and a SIMD form with run-time dispatch. The forms
// differ in rounding only: vectors use fused multiplication and addition.
namespace wb::stats {

// sum[j] += Σ_k factors[k] · rows[k · stride + j], for each j of sum. Rows may overlap, sum overlaps none of them.
void addProducts(std::span<const double> factors, const double* rows, std::size_t stride, std::span<double> sum);

namespace scalar {
void addProducts(std::span<const double> factors, const double* rows, std::size_t stride, std::span<double> sum);
} // namespace scalar

} // namespace wb::stats
