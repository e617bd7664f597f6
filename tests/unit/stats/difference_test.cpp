// SPDX-License-Identifier: MIT
#include "core/stats/map/difference.h"
#include "core/stats/outliers.h"
#include "made_tensor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wb::stats {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Difference compared(const std::vector<float>& w, const std::vector<float>& v, unsigned threads = 1) {
    const TensorReader a = test::makeRow(Dtype::F32, w), b = test::makeRow(Dtype::F32, v);
    const auto difference = compareTensors(a, b, threads, {});
    EXPECT_TRUE(difference);
    return difference ? *difference : Difference{};
}

TEST(Difference, KnowsAPairByHand) {
    const Difference d = compared({3, -4, 0, nan, 1}, {3, -2, -1, nan, nan});
    EXPECT_EQ(d.count, 5u);
    EXPECT_EQ(d.compared, 3u);
    EXPECT_EQ(d.changed, 3u);
    EXPECT_DOUBLE_EQ(*d.mae, 1);
    EXPECT_DOUBLE_EQ(*d.rmse, std::sqrt(5.0 / 3));
    EXPECT_DOUBLE_EQ(*d.maxError, 2);
    EXPECT_EQ(d.maxIndex, 1u);
    EXPECT_DOUBLE_EQ(*d.relativeRmse, std::sqrt(5.0 / 25));
    EXPECT_DOUBLE_EQ(*d.snr, 10 * std::log10(5.0));
    EXPECT_DOUBLE_EQ(*d.cosine, 17 / (5 * std::sqrt(14.0)));
    EXPECT_DOUBLE_EQ(d.changedRatio(), 0.6);
}

TEST(Difference, SaysWhatIsUndefined) {
    const Difference equal = compared({1, 2}, {1, 2});
    EXPECT_TRUE(std::isinf(*equal.snr));
    EXPECT_EQ(equal.changed, 0u);
    const Difference zero = compared({0, 0}, {1, 0});
    EXPECT_FALSE(zero.snr);
    EXPECT_FALSE(zero.relativeRmse);
    EXPECT_FALSE(zero.cosine);
    EXPECT_EQ(zero.maxIndex, 0u);
    EXPECT_FALSE(compared({nan}, {1}).rmse);
    EXPECT_EQ(compared({-0.0F}, {0.0F}).changed, 1u);
}

TEST(Difference, DoesNotDependOnThreads) {
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    std::vector<float> w(300'000), v(w.size());
    for (std::size_t i = 0; i < w.size(); ++i) v[i] = (w[i] = normal(random)) + 0.01F * normal(random);
    const Difference one = compared(w, v, 1), many = compared(w, v, 5);
    EXPECT_EQ(*one.rmse, *many.rmse);
    EXPECT_EQ(*one.cosine, *many.cosine);
    EXPECT_EQ(one.maxIndex, many.maxIndex);
    double errors = 0;
    for (std::size_t i = 0; i < w.size(); ++i) errors += (double{w[i]} - v[i]) * (double{w[i]} - v[i]);
    EXPECT_NEAR(*one.rmse, std::sqrt(errors / static_cast<double>(w.size())), 1e-12);
}

// numpy: sorted(abs(w - v))[ceil(0.999 * n) - 1], over finite pairs.
TEST(Difference, FindsThePercentileOfItsElements) {
    std::mt19937 random(5);
    std::normal_distribution<float> normal;
    for (const std::size_t count : {1u, 2u, 999u, 1000u, 1001u, 150'000u}) {
        std::vector<float> w(count + 1), v(w.size()), errors;
        for (std::size_t i = 0; i < count; ++i) {
            w[i] = normal(random), v[i] = normal(random);
            errors.push_back(static_cast<float>(std::abs(double{w[i]} - v[i])));
        }
        v[count] = nan;
        std::ranges::sort(errors);
        const auto rank = static_cast<std::size_t>(std::ceil(0.999 * static_cast<double>(count)));
        for (const unsigned threads : {1u, 4u}) EXPECT_EQ(compared(w, v, threads).nearlyMax, errors[rank - 1]) << count;
    }
    EXPECT_EQ(compared({1, 2}, {1, 2}).nearlyMax, 0.0F);
    EXPECT_FALSE(compared({nan}, {1}).nearlyMax);
    const float largest = std::numeric_limits<float>::max();
    EXPECT_EQ(compared({largest}, {-largest}).nearlyMax, largest);
}

TEST(Difference, RefusesOtherShapes) {
    const TensorReader a = test::makeRow(Dtype::F32, std::vector<float>(4)), b = test::makeRow(Dtype::F32, std::vector<float>(5));
    EXPECT_EQ(compareTensors(a, b, 1, {}).error().code, ErrorCode::Invalid);
}

TEST(Outliers, LeaveTheirFamily) {
    const std::vector<double> values = {1, 2, 3, std::nan(""), 2.5, 40, -9};
    const Outliers outliers = findOutliers(values, 5);
    EXPECT_EQ(outliers.median, 2);
    EXPECT_EQ(outliers.mad, 1);
    ASSERT_EQ(outliers.members.size(), 2u);
    EXPECT_EQ(outliers.members[0].index, 5u);
    EXPECT_DOUBLE_EQ(outliers.members[0].score, 38);
    EXPECT_EQ(outliers.members[1].index, 6u);
    EXPECT_TRUE(findOutliers(values, 100).members.empty());
}

TEST(Outliers, NeedAFamily) {
    EXPECT_TRUE(findOutliers(std::vector<double>{1, 100}, 3).members.empty());
    const Outliers outliers = findOutliers(std::vector<double>{5, 5, 5, 6}, 3);
    ASSERT_EQ(outliers.members.size(), 1u);
    EXPECT_TRUE(std::isinf(outliers.members[0].score));
}

// As the standard deviations of one part of a model: equal but for a thousandth.
TEST(Outliers, AreFarInMoreThanDeviations) {
    const std::vector<double> values = {0.03953, 0.039531, 0.039529, 0.03957, 0.0432};
    const Outliers outliers = findOutliers(values, 5);
    ASSERT_EQ(outliers.members.size(), 1u);
    EXPECT_EQ(outliers.members[0].index, 4u);
}

} // namespace
} // namespace wb::stats
