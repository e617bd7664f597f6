// SPDX-License-Identifier: MIT
#include "ui/plots/plot_axis.h"

#include <cmath>

namespace wb::ui {

std::vector<double> niceTicks(double low, double high, int about) {
    if (about < 1) return {};
    const double raw = (high - low) / about;
    if (!(raw > 0) || !std::isfinite(raw)) return {};
    // Of the round steps the one nearest to the wanted, by ratio: between 2 and 5 the border is the root of 10.
    const double magnitude = std::pow(10, std::floor(std::log10(raw)));
    const double lead = raw / magnitude;
    const double step = magnitude * (lead < std::sqrt(2.0) ? 1 : lead < std::sqrt(10.0) ? 2 : lead < std::sqrt(50.0) ? 5 : 10);

    std::vector<double> ticks;
    const double first = std::ceil(low / step);
    for (int i = 0; i <= 2 * about; ++i) {
        const double tick = (first + i) * step;
        if (tick > high + step * 1e-9) break;
        ticks.push_back(tick == 0 ? 0 : tick); // never -0
    }
    return ticks;
}

// Scaled before subtracting: the ends of a histogram may lie so far apart that their difference overflows.
double PlotAxis::pixel(double value) const {
    const double scale = std::fmax(std::fabs(low), std::fabs(high));
    const double span = scale > 0 ? high / scale - low / scale : 0;
    return span > 0 ? from + (value / scale - low / scale) / span * (to - from) : (from + to) / 2;
}

double PlotAxis::value(double pixel) const {
    const double part = to == from ? 0 : (pixel - from) / (to - from);
    return low * (1 - part) + high * part;
}

} // namespace wb::ui
