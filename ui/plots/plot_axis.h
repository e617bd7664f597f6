// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace wb::ui {

// Round numbers (1, 2 or 5 times a power of ten) inside [low, high], about `about` of them; empty where the range is.
std::vector<double> niceTicks(double low, double high, int about);

// A range of values along a range of pixels.
struct PlotAxis {
    double low = 0;
    double high = 1;
    double from = 0; // pixel of `low`
    double to = 1;   // pixel of `high`

    double pixel(double value) const;
    double value(double pixel) const;
};

} // namespace wb::ui
