// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"

#include <string>

namespace wb::test {

// Every statistic as text with all digits: equal texts mean equal bits.
std::string exactText(const stats::TensorStats& stats, const Shape& shape);

// Expects equality of everything that must be exact, and of the moments within the tolerances of specs/inspector.md 13.
void expectSame(const stats::TensorStats& actual, const stats::TensorStats& expected, const std::string& what);

} // namespace wb::test
