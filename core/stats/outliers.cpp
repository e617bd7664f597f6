// SPDX-License-Identifier: MIT
#include "core/stats/outliers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wb::stats {
namespace {

double medianOf(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace

OddOnes findOdd(std::span<const double> values, double k) {
    std::vector<double> known;
    for (const double value : values)
        if (std::isfinite(value)) known.push_back(value);
    if (known.size() < 3) return {};
    OddOnes odd;
    odd.median = medianOf(known);
    for (double& value : known) value = std::abs(value - odd.median);
    odd.mad = medianOf(std::move(known));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double distance = std::abs(values[i] - odd.median);
        if (!std::isfinite(values[i]) || distance <= k * odd.mad) continue;
        odd.members.push_back({i, odd.mad == 0 ? std::numeric_limits<double>::infinity() : distance / odd.mad});
    }
    std::ranges::stable_sort(odd.members, std::ranges::greater(), &Odd::score);
    return odd;
}

} // namespace wb::stats
