// SPDX-License-Identifier: MIT
#include "core/stats/rules.h"
#include "core/stats/stats.h"
#include "made_tensor.h"

#include <gtest/gtest.h>

#include <limits>

namespace wb::stats {
namespace {

using test::makeReader;
using test::makeRow;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

TensorStats scalar(const TensorReader& reader, const Options& options = {}) { return computeScalar(reader, options).value(); }

TEST(Scalar, DescribesASmallTensor) {
    const auto stats = scalar(makeReader(Dtype::F32, *Shape::make({2, 3}), std::vector<float>{1, -2, 3, -4, 0, 2}), {.bins = 7});
    EXPECT_EQ(stats.count, 6u);
    EXPECT_EQ(stats.zeros, 1u);
    EXPECT_EQ(stats.min, Element(-4.0));
    EXPECT_EQ(stats.max, Element(3.0));
    EXPECT_EQ(stats.absmax, Element(4.0));
    EXPECT_DOUBLE_EQ(*stats.mean, 0);
    EXPECT_DOUBLE_EQ(*stats.std, std::sqrt(34.0 / 6));
    EXPECT_DOUBLE_EQ(*stats.rms, std::sqrt(34.0 / 6));
    EXPECT_DOUBLE_EQ(*stats.skew, (1.0 - 8 + 27 - 64 + 8) / 6 / std::pow(34.0 / 6, 1.5));
    EXPECT_DOUBLE_EQ(*stats.kurtosis, (1.0 + 16 + 81 + 256 + 16) / 6 / std::pow(34.0 / 6, 2) - 3);
    EXPECT_EQ((*stats.percentiles)[4], Element(0.0)); // rank ceil(0.5 · 6) = 3 of -4 -2 0 1 2 3
    EXPECT_EQ(stats.histogram->counts, (std::vector<std::uint64_t>{1, 0, 1, 0, 1, 1, 2}));
    ASSERT_EQ(stats.top.size(), 6u);
    EXPECT_EQ(stats.top[0].index, 3u);
    EXPECT_EQ(stats.top[2].index, 1u); // -2 and 2 are equally large: the first one leads
    EXPECT_EQ(stats.top[3].index, 5u);
}

TEST(Scalar, KeepsNonFiniteValuesOutOfTheMoments) {
    const auto stats = scalar(makeRow(Dtype::F32, std::vector<float>{notANumber, 1, infinity, 3, -infinity}));
    EXPECT_EQ(stats.count, 5u);
    EXPECT_EQ(stats.nan, 1u);
    EXPECT_EQ(stats.inf, 2u);
    EXPECT_EQ(stats.finite, 2u);
    EXPECT_EQ(*stats.mean, 2);
    EXPECT_EQ(stats.max, Element(3.0));
}

TEST(Scalar, LeavesUndefinedValuesEmpty) {
    const auto nothing = scalar(makeRow(Dtype::F32, std::vector<float>(4, notANumber)));
    EXPECT_FALSE(nothing.min || nothing.mean || nothing.std || nothing.rms || nothing.percentiles || nothing.histogram);
    EXPECT_TRUE(nothing.top.empty());
    const auto constant = scalar(makeRow(Dtype::F64, std::vector<double>(1000, 0.1)));
    EXPECT_EQ(constant.mean, 0.1);
    EXPECT_EQ(constant.std, 0);
    EXPECT_FALSE(constant.skew || constant.kurtosis);
    EXPECT_EQ(constant.histogram->counts[0], 1000u);
    EXPECT_EQ(scalar(makeRow(Dtype::F32, std::vector<float>{})).count, 0u);
}

TEST(Scalar, OrdersMinusZeroBelowZero) {
    const auto stats = scalar(makeRow(Dtype::F32, std::vector<float>{0.0f, -0.0f, 0.0f}));
    EXPECT_TRUE(std::signbit(std::get<double>(*stats.min)));
    EXPECT_FALSE(std::signbit(std::get<double>(*stats.max)));
    EXPECT_EQ(stats.zeros, 3u);
    EXPECT_EQ(stats.top[0].index, 0u);
}

TEST(Scalar, KeepsIntegersExact) {
    constexpr auto low = std::numeric_limits<std::int64_t>::min();
    constexpr auto high = std::numeric_limits<std::int64_t>::max();
    const auto stats = scalar(makeRow(Dtype::I64, std::vector<std::int64_t>{low, high, high - 1, 0, 5}));
    EXPECT_EQ(stats.min, Element(low));
    EXPECT_EQ(stats.max, Element(high));
    EXPECT_EQ(stats.absmax, Element(std::uint64_t{1} << 63));
    EXPECT_EQ(stats.top[1].value, Element(high));
    EXPECT_EQ(stats.top[2].value, Element(high - 1));
    EXPECT_EQ((*stats.percentiles)[5], Element(high - 1));
    EXPECT_EQ(stats.zeros, 1u);
}

TEST(Scalar, SurvivesTheLargestAndTheSmallestDoubles) {
    constexpr double largest = std::numeric_limits<double>::max();
    const auto big = scalar(makeRow(Dtype::F64, std::vector<double>{largest, -largest, largest, -largest}));
    EXPECT_EQ(*big.mean, 0);
    EXPECT_EQ(*big.std, largest);
    EXPECT_DOUBLE_EQ(*big.kurtosis, -2);
    EXPECT_EQ(big.histogram->counts.front(), 2u);
    EXPECT_EQ(big.histogram->counts.back(), 2u);
    constexpr double smallest = std::numeric_limits<double>::denorm_min();
    const auto small = scalar(makeRow(Dtype::F64, std::vector<double>{smallest * 1000, -smallest * 1000}));
    EXPECT_EQ(small.denormal, 2u);
    EXPECT_EQ(*small.std, smallest * 1000);
    EXPECT_DOUBLE_EQ(*small.kurtosis, -2);
}

TEST(Scalar, TakesTheMagnitudeOfComplexNumbers) {
    const auto stats = scalar(makeReader(Dtype::C64, *Shape::make({3}), std::vector<float>{3, 4, 0, 0, infinity, 1}));
    EXPECT_EQ(stats.count, 3u);
    EXPECT_EQ(stats.max, Element(5.0));
    EXPECT_EQ(stats.zeros, 1u);
    EXPECT_EQ(stats.inf, 1u);
}

TEST(Scalar, CountsChannelsByRank) {
    const std::vector<float> values = {1, -2, 3, 4, 5, -6};
    const auto rows = scalar(makeReader(Dtype::F32, *Shape::make({2, 3}), values), {.channels = Axis::Row});
    EXPECT_EQ(rows.channels->absmax, (std::vector<double>{3, 6}));
    EXPECT_DOUBLE_EQ(rows.channels->rms[0], std::sqrt(14.0 / 3));
    const auto columns = scalar(makeReader(Dtype::F32, *Shape::make({2, 3}), values), {.channels = Axis::Column});
    EXPECT_EQ(columns.channels->absmax, (std::vector<double>{4, 5, 6}));
    const auto rowsOf = [&](std::initializer_list<std::uint64_t> shape) {
        return scalar(makeReader(Dtype::F32, *Shape::make(shape), values), {.channels = Axis::Row}).channels->absmax.size();
    };
    EXPECT_EQ(rowsOf({6}), 1u);
    EXPECT_EQ(rowsOf({1, 2, 3}), 2u);
    EXPECT_EQ(rowsOf({3, 1, 2, 1}), 3u);
}

TEST(Scalar, RefusesWrongOptions) {
    const auto reader = makeRow(Dtype::F32, std::vector<float>{1});
    EXPECT_FALSE(computeScalar(reader, {.bins = 0}));
    EXPECT_FALSE(computeScalar(reader, {.bins = 65'537}));
}

TEST(Rules, RanksAreExact) {
    EXPECT_EQ(percentileRank(0, 1), 1u);
    EXPECT_EQ(percentileRank(0, 1000), 1u);
    EXPECT_EQ(percentileRank(0, 1001), 2u);
    EXPECT_EQ(percentileRank(8, 1000), 999u);
    EXPECT_EQ(percentileRank(4, 5), 3u);
    EXPECT_EQ(percentileRank(8, std::uint64_t{1} << 62), (std::uint64_t{1} << 62) / 1000 * 999 + 904 * 999 / 1000 + 1);
}

TEST(Rules, BinsCountTheMaximumInTheLastOne) {
    const BinRule bin(-1, 1, 256);
    EXPECT_EQ(bin(-1), 0u);
    EXPECT_EQ(bin(0), 128u);
    EXPECT_EQ(bin(1), 255u);
}

} // namespace
} // namespace wb::stats
