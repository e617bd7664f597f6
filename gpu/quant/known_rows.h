// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace wb::gpu {

// Rows of 512 values for the self-test: bell-shaped, zero, constant, with outliers, with ties, subnormal, near the limit of f16.
const std::vector<float>& knownRows();

// One weight a column, some of them zero.
const std::vector<float>& knownWeights();

} // namespace wb::gpu
