// SPDX-License-Identifier: MIT
#include "core/stats/distribution.h"

#include "core/stats/elements.h"
#include "core/stats/sort_key.h"
#include "core/stats/moments.h"
#include "core/stats/rules.h"

#include <algorithm>

namespace wb::stats {
namespace {

void countKinds(const ValueCount& one, double normal, TensorStats& stats) {
    stats.count += one.count;
    const double magnitude = std::abs(double{one.value});
    if (std::isnan(magnitude)) stats.nan += one.count;
    else if (std::isinf(magnitude)) stats.inf += one.count;
    else if (magnitude == 0) stats.zeros += one.count;
    else if (magnitude < normal) stats.denormal += one.count;
}

void findPercentiles(const std::vector<ValueCount>& sorted, Dtype dtype, TensorStats& stats) {
    stats.percentiles.emplace();
    std::size_t at = 0;
    std::uint64_t upTo = sorted[0].count; // elements up to and with sorted[at]
    for (std::size_t level = 0; level < percentileLevels.size(); ++level) {
        const std::uint64_t rank = percentileRank(level, stats.finite);
        while (upTo < rank) upTo += sorted[++at].count;
        (*stats.percentiles)[level] = toElement(dtype, sorted[at].value);
    }
}

} // namespace

Element largestMagnitude(float min, float max, Dtype dtype) {
    const float magnitude = std::max(std::abs(min), std::abs(max));
    if (std::holds_alternative<double>(toElement(dtype, magnitude))) return double{magnitude};
    return static_cast<std::uint64_t>(magnitude);
}

void describeDistribution(std::vector<ValueCount> values, Dtype dtype, std::uint32_t bins, TensorStats& stats) {
    for (const ValueCount& one : values) countKinds(one, smallestNormal(dtype), stats);
    stats.finite = stats.count - stats.nan - stats.inf;
    std::erase_if(values, [](const ValueCount& one) { return !std::isfinite(one.value); });
    if (values.empty()) return;
    std::ranges::sort(values, {}, [](const ValueCount& one) { return toSortKey(one.value); });
    const float min = values.front().value;
    const float max = values.back().value;
    stats.min = toElement(dtype, min);
    stats.max = toElement(dtype, max);
    stats.absmax = largestMagnitude(min, max, dtype);
    findPercentiles(values, dtype, stats);
    MomentTree tree;
    for (const ValueCount& one : values) tree.add({one.count, 0, double{one.value}, 0, 0, 0});
    describe(tree.total(), min == max, stats);
    const BinRule bin(min, max, bins);
    const OutlierRule isOutlier(*stats.mean, *stats.std, asDouble(*stats.absmax));
    stats.histogram = Histogram{min, max, std::vector<std::uint64_t>(bins)};
    for (const ValueCount& one : values) {
        stats.histogram->counts[bin(one.value)] += one.count;
        if (isOutlier(one.value)) stats.outliers6 += one.count;
    }
}

} // namespace wb::stats
