// SPDX-License-Identifier: MIT
#include "gpu/stats/sort_key_limits.h"

#include "core/stats/sort_key.h"

namespace wb::gpu {
namespace {

double valueFromKey(std::uint64_t key) { return stats::fromSortKey<float>(static_cast<std::uint32_t>(key)); }

// The first key in [first, end) for which `holds`, or end. From there on it must hold for all.
template <typename Predicate>
std::uint64_t firstKey(std::uint64_t first, std::uint64_t end, Predicate holds) {
    while (first < end) {
        const std::uint64_t middle = first + (end - first) / 2;
        if (holds(valueFromKey(middle))) end = middle;
        else first = middle + 1;
    }
    return first;
}

} // namespace

std::vector<std::uint32_t> lowestKeys(const stats::BinRule& rule, float low, float high) {
    std::vector<std::uint32_t> lowest(static_cast<std::size_t>(rule.bins()));
    const std::uint64_t end = std::uint64_t{stats::toSortKey(high)} + 1;
    std::uint64_t key = stats::toSortKey(low);
    for (std::size_t bin = 1; bin < lowest.size(); ++bin) {
        key = firstKey(key, end, [&](double value) { return rule(value) >= bin; });
        lowest[bin] = static_cast<std::uint32_t>(key);
    }
    return lowest;
}

// The distance from the mean falls up to the mean and rises after it.
InlierKeys inlierKeys(const stats::OutlierRule& rule, double mean, float low, float high) {
    const std::uint64_t begin = stats::toSortKey(low);
    const std::uint64_t end = std::uint64_t{stats::toSortKey(high)} + 1;
    const std::uint64_t split = firstKey(begin, end, [&](double value) { return value > mean; });
    const std::uint64_t first = firstKey(begin, split, [&](double value) { return !rule(value); });
    const std::uint64_t afterLast = firstKey(split, end, rule);
    return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(afterLast - 1)};
}

} // namespace wb::gpu
