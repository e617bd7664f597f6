// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"

#include <string>

namespace wb::test {

// Every statistic as text with all digits: equal texts mean equal bits.
std::string exactText(const stats::TensorStats& stats, const Shape& shape);

// How far moments may differ, of their own size (docs/reference/statistics.md, "Tolerances").
struct Tolerances {
    double mean; // of rms
    double moments;
    double shape; // skew and kurtosis
};
inline constexpr Tolerances cpuTolerances = {1e-14, 1e-12, 1e-12};
inline constexpr Tolerances gpuTolerances = {1e-7, 1e-6, 1e-5};

// Expects equality of everything that must be exact, and of the moments within the tolerances.
void expectSame(const stats::TensorStats& actual, const stats::TensorStats& expected, const std::string& what,
                const Tolerances& tolerances = cpuTolerances);

} // namespace wb::test
