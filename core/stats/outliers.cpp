// SPDX-License-Identifier: MIT
#include "core/stats/outliers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wb::stats {
namespace {

double valuesMedian(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace

Outliers findOutliers(std::span<const double> values, double k) {
    std::vector<double> known;
    for (const double value : values)
        if (std::isfinite(value)) known.push_back(value);
    if (known.size() < 3) return {};
    Outliers outliers;
    outliers.median = valuesMedian(known);
    for (double& value : known) value = std::abs(value - outliers.median);
    outliers.mad = valuesMedian(std::move(known));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double distance = std::abs(values[i] - outliers.median);
        const bool isNear = distance <= std::max(k * outliers.mad, leastDistance * std::abs(outliers.median));
        if (!std::isfinite(values[i]) || isNear) continue;
        outliers.members.push_back({i, outliers.mad == 0 ? std::numeric_limits<double>::infinity() : distance / outliers.mad});
    }
    std::ranges::stable_sort(outliers.members, std::ranges::greater(), &Outlier::score);
    return outliers;
}

} // namespace wb::stats
