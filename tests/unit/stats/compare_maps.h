// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/map/map.h"

namespace wb::test {

// Every cell, row and column of both; exact but for mean and rms, whose sums are formed in other orders.
void expectSame(const stats::TensorMap& a, const stats::TensorMap& b);

void expectSame(float a, float b, float relative = 0); // NaN equals NaN
void expectSame(const std::vector<float>& a, const std::vector<float>& b, float relative = 0);

} // namespace wb::test
