// SPDX-License-Identifier: MIT
#include "compare_maps.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wb::test {

void expectSame(float a, float b, float relative) {
    if (std::isnan(a) || std::isnan(b)) EXPECT_EQ(std::isnan(a), std::isnan(b));
    else EXPECT_NEAR(a, b, relative * std::abs(b));
}

void expectSame(const std::vector<float>& a, const std::vector<float>& b, float relative) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) expectSame(a[i], b[i], relative);
}

// The order of sums differs inside a cell and along rows, which f32 hardly sees.
void expectSame(const stats::TensorMap& a, const stats::TensorMap& b) {
    constexpr float tolerance = 3e-7F;
    ASSERT_EQ(a.levels.size(), b.levels.size());
    for (std::size_t i = 0; i < a.levels.size(); ++i) {
        EXPECT_EQ(a.levels[i].cell, b.levels[i].cell);
        expectSame(a.levels[i].absmax, b.levels[i].absmax);
        ASSERT_EQ(a.levels[i].mean.size(), b.levels[i].mean.size());
        for (std::size_t k = 0; k < a.levels[i].mean.size(); ++k) // the mean may cancel
            if (!std::isnan(b.levels[i].mean[k]))
                EXPECT_NEAR(a.levels[i].mean[k], b.levels[i].mean[k], tolerance * b.levels[i].rms[k]);
            else EXPECT_TRUE(std::isnan(a.levels[i].mean[k]));
        expectSame(a.levels[i].rms, b.levels[i].rms, tolerance);
        EXPECT_EQ(a.levels[i].nan, b.levels[i].nan);
        EXPECT_EQ(a.levels[i].inf, b.levels[i].inf);
    }
    expectSame(a.rows.absmax, b.rows.absmax);
    expectSame(a.rows.rms, b.rows.rms, tolerance);
    expectSame(a.columns.absmax, b.columns.absmax);
    expectSame(a.columns.rms, b.columns.rms, tolerance);
    EXPECT_EQ(a.absmax, b.absmax);
    EXPECT_EQ(a.nan, b.nan);
    EXPECT_EQ(a.inf, b.inf);
}

} // namespace wb::test
