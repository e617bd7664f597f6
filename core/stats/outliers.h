// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

// Outliers of a set of values by the median-deviation rule.
namespace wb::stats {

struct Outlier {
    std::size_t index = 0; // into the values
    double score = 0;      // |x - median| / MAD; infinite where MAD is 0
};

struct Outliers {
    double median = 0;
    double mad = 0;               // the median of |x - median|
    std::vector<Outlier> members; // score > k; highest score first, then by index
};

// The values farther from the median than k median absolute deviations (MAD), and than `leastDistance` of the median itself: where
// all values but one are nearly equal, the MAD is so small that a difference of no consequence were far. NaN is ignored. Fewer than
// three finite values have no outliers. Of an even number of values the median is the lower middle one, so that it is one of the
// values.
inline constexpr double leastDistance = 0.02; // 2 %
Outliers findOutliers(std::span<const double> values, double k);

} // namespace wb::stats
