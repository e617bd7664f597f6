// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"

namespace wb::stats {

// How often each value occurs in a tensor, for types with few values.
struct ValueCount {
    float value;
    std::uint64_t count;
};

// Fills everything but `top` and `channels` from the occurring values (any order, also not finite ones, no count 0).
void describeDistribution(std::vector<ValueCount> values, Dtype dtype, std::uint32_t bins, TensorStats& stats);

// The larger magnitude of the two extremes; of integers as an unsigned number.
Element largestMagnitude(float least, float greatest, Dtype dtype);

} // namespace wb::stats
