// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace wb::gpu {

// Rows of 512 values for the self-test: bell-shaped, zero, constant, with outliers, with ties, near the limit of f16, and
// of every magnitude down to the smallest subnormal: their products become subnormal long before they do themselves, at another
// magnitude in every type, and a device that flushes those gives other bytes there only.
const std::vector<float>& selfTestRows();

// How many of the first rows are such as models are made of: a device that flushes subnormal numbers marks no block of them.
inline constexpr std::size_t ordinaryRows = 6;

// One weight a column, some of them zero.
const std::vector<float>& selfTestWeights();

} // namespace wb::gpu
