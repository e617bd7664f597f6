// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"
#include "ui/plots/distribution_plot.h"

#include <QString>

#include <utility>

namespace wb::ui::inspect {

// Bounds of a bin as shown: [low, high), the last one closed.
std::pair<double, double> binRange(const stats::Histogram& histogram, std::size_t bin);

// One sentence about the shape of the histogram for people who cannot see it.
QString histogramSentence(const stats::TensorStats& stats, Counted counted);

// "−0.12 to −0.11: 1,234 elements (3.2 %)".
QString binSentence(const stats::TensorStats& stats, std::size_t bin, Counted counted);

} // namespace wb::ui::inspect
