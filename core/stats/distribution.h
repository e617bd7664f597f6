// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"

namespace wb::stats {

// How often each value occurs in a tensor, for types with few values.
struct ValueCount {
    float value;
    std::uint64_t count;
};

// Fills everything but `top` and `channels`. `values`: each distinct value once, in any order, non-finite ones included, no count
// 0.
void describeDistribution(std::vector<ValueCount> values, Dtype dtype, std::uint32_t bins, TensorStats& stats);

// The larger of |min| and |max|; of integer types as an unsigned number, because |INT64_MIN| does not fit a signed one.
Element largestMagnitude(float min, float max, Dtype dtype);

} // namespace wb::stats
