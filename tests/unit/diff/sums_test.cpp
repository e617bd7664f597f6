// SPDX-License-Identifier: MIT
#include "core/diff/sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace wb::diff {
namespace {

TEST(Sums, MeasuresAreThoseOfTheirDefinitions) {
    const std::vector<float> w = {1, 2, 3, 4}, v = {1, 2, 3, 5};
    const Measures measures = computeMeasures(compareValues(w, v, 0));
    EXPECT_EQ(measures.elements, 4u);
    EXPECT_EQ(measures.changed, 1u);
    EXPECT_DOUBLE_EQ(*measures.maxAbs, 1);
    EXPECT_DOUBLE_EQ(*measures.rmse, 0.5);
    EXPECT_DOUBLE_EQ(*measures.relRmse, std::sqrt(1.0 / 30));
    EXPECT_DOUBLE_EQ(*measures.snrDb, 10 * std::log10(30.0));
    EXPECT_DOUBLE_EQ(*measures.cosine, 34 / std::sqrt(30.0 * 39));
}

TEST(Sums, UndefinedMeasuresAreEmpty) {
    const std::vector<float> zeros(3, 0.0F), ones(3, 1.0F);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Measures none = computeMeasures(compareValues(zeros, zeros, 0));
    EXPECT_EQ(none.rmse, 0.0);
    EXPECT_EQ(none.relRmse, std::nullopt);
    EXPECT_EQ(none.snrDb, std::nullopt);
    EXPECT_EQ(none.cosine, std::nullopt);
    const Measures half = computeMeasures(compareValues(ones, zeros, 0));
    EXPECT_EQ(half.cosine, std::nullopt);
    EXPECT_EQ(half.snrDb, std::nullopt);
    EXPECT_EQ(*half.relRmse, 1.0);
    const Measures exact = computeMeasures(compareValues(ones, ones, 0));
    EXPECT_EQ(*exact.snrDb, std::numeric_limits<double>::infinity());
    EXPECT_EQ(*exact.cosine, 1.0);
    const std::vector<float> nans(3, nan);
    const Measures unknown = computeMeasures(compareValues(nans, nans, 0));
    EXPECT_EQ(unknown.changed, 0u) << "NaN on both sides is equal";
    EXPECT_EQ(unknown.maxAbs, std::nullopt);
    EXPECT_EQ(unknown.rmse, std::nullopt);
    EXPECT_EQ(computeMeasures(compareValues(nans, ones, 0)).changed, 3u);
}

TEST(Sums, TheSignOfZeroIsAChangeWithoutAnError) {
    const std::vector<float> w = {0.0F, 1}, v = {-0.0F, 1};
    const Measures measures = computeMeasures(compareValues(w, v, 0));
    EXPECT_EQ(measures.changed, 1u);
    EXPECT_EQ(*measures.maxAbs, 0.0);
}

// A norm that one side stores plus one: the sums are those of the values without it.
TEST(Sums, AnOriginLeavesErrorsAlone) {
    const std::vector<float> w = {1.5F, 2}, v = {1.5F, 1.75F};
    const Measures measures = computeMeasures(compareValues(w, v, 1));
    EXPECT_DOUBLE_EQ(*measures.relRmse, std::sqrt(0.0625 / 1.25));
    EXPECT_DOUBLE_EQ(*measures.maxAbs, 0.25);
}

TEST(Sums, EqualTheReadableForm) {
    std::mt19937 random(7);
    std::normal_distribution<float> values;
    for (const std::size_t count : {0u, 1u, 7u, 4095u, 4096u, 4097u, 12'345u}) {
        for (const bool isSpecial : {false, true}) {
            std::vector<float> w(count), v(count);
            for (std::size_t i = 0; i < count; ++i) {
                w[i] = values(random);
                v[i] = i % 3 == 0 ? w[i] : w[i] + 0.1F * values(random);
                if (isSpecial && i % 997 == 5) w[i] = std::numeric_limits<float>::quiet_NaN();
                if (isSpecial && i % 1201 == 7) v[i] = std::numeric_limits<float>::infinity();
                if (isSpecial && i % 1201 == 8) w[i] = v[i] = std::numeric_limits<float>::quiet_NaN();
            }
            const Sums fast = compareValues(w, v, 0), plain = scalar::compareValues(w, v, 0);
            EXPECT_EQ(fast.elements, plain.elements);
            EXPECT_EQ(fast.finite, plain.finite);
            EXPECT_EQ(fast.changed, plain.changed);
            EXPECT_EQ(fast.maxAbs, plain.maxAbs) << count;
            EXPECT_EQ(fast.maxAt, plain.maxAt) << count;
            EXPECT_NEAR(fast.sums.e2, plain.sums.e2, 1e-9 * plain.sums.e2);
            EXPECT_NEAR(fast.sums.w2, plain.sums.w2, 1e-9 * plain.sums.w2);
            EXPECT_NEAR(fast.sums.v2, plain.sums.v2, 1e-9 * plain.sums.v2);
            EXPECT_NEAR(fast.sums.wv, plain.sums.wv, 1e-9 * plain.sums.w2);
        }
    }
}

} // namespace
} // namespace wb::diff
