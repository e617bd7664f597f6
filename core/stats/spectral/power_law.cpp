// SPDX-License-Identifier: MIT
#include "core/stats/spectral/power_law.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace wb::stats {

std::optional<PowerLaw> fitPowerLaw(std::span<const double> ascending) {
    const std::size_t count = ascending.size();
    std::vector<double> logs(count), sums(count + 1);
    for (std::size_t i = 0; i < count; ++i) logs[i] = std::log(ascending[i]);
    for (std::size_t i = count; i-- > 0;) sums[i] = sums[i + 1] + logs[i];
    std::optional<PowerLaw> best;
    for (std::size_t i = 0; i + 1 < count; ++i) {
        const auto tail = static_cast<double>(count - i);
        const double excess = sums[i] - tail * logs[i];
        if (!(excess > 1e-12)) continue; // all values of the tail are equal
        const double exponent = tail / excess;
        double distance = 0;
        for (std::size_t j = i; j < count && (!best || distance < best->distance); ++j)
            distance =
                std::max(distance, std::fabs(1 - std::exp((logs[i] - logs[j]) * exponent) - static_cast<double>(j - i) / tail));
        if (!best || distance < best->distance) best = PowerLaw{1 + exponent, ascending[i], distance, count - i};
    }
    return best;
}

} // namespace wb::stats
