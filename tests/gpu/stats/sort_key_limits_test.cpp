// SPDX-License-Identifier: MIT
#include "gpu/stats/sort_key_limits.h"

#include "core/stats/sort_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

// Limits on sort keys decide as the f64 rules do, for every kind of range.
namespace wb::gpu {
namespace {

constexpr float largest = std::numeric_limits<float>::max();
constexpr float smallest = std::numeric_limits<float>::denorm_min();

struct Range {
    float low, high;
};
constexpr Range ranges[] = {{-1, 1},       {0, 1e-3f}, {-largest, largest}, {smallest, 100 * smallest}, {1000, 1000.01f},
                            {-0.0f, 0.0f}, {7, 7}};

// Values of the range: its ends, neighbours of its ends, and random keys between.
std::vector<std::uint32_t> keysWithin(const Range& range) {
    const std::uint32_t first = stats::toSortKey(range.low), last = stats::toSortKey(range.high);
    std::mt19937 random(1);
    std::vector<std::uint32_t> keys = {first, last, std::min(first + 1, last), std::max(last - 1, first)};
    for (int i = 0; i < 2000; ++i) keys.push_back(first + static_cast<std::uint32_t>(random() % (std::uint64_t{last} - first + 1)));
    return keys;
}

TEST(SortKeyLimits, PutEveryValueIntoItsBin) {
    for (const Range& range : ranges)
        for (const std::uint32_t bins : {1u, 7u, 256u, 65'536u}) {
            const stats::BinRule rule(range.low, range.high, bins);
            const auto lowest = lowestKeys(rule, range.low, range.high);
            ASSERT_EQ(lowest.size(), bins);
            ASSERT_TRUE(std::ranges::is_sorted(lowest));
            for (const std::uint32_t key : keysWithin(range)) {
                const auto bin = std::ranges::upper_bound(lowest, key) - lowest.begin() - 1;
                ASSERT_EQ(bin, rule(stats::fromSortKey<float>(key))) << key << " of " << bins;
            }
        }
}

TEST(SortKeyLimits, TellOutliersFromTheRest) {
    for (const Range& range : ranges)
        for (const double share : {0.0, 0.3, 0.5, 1.0})
            for (const double width : {0.0, 0.01, 0.05, 10.0}) {
                const double span = double{range.high} - double{range.low};
                const double mean = range.low + share * span;
                const stats::OutlierRule rule(mean, width * span, largest);
                const InlierKeys inliers = inlierKeys(rule, mean, range.low, range.high);
                for (const std::uint32_t key : keysWithin(range))
                    ASSERT_EQ(key < inliers.first || key > inliers.last, rule(stats::fromSortKey<float>(key))) << key;
            }
}

} // namespace
} // namespace wb::gpu
