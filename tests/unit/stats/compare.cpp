// SPDX-License-Identifier: MIT
#include "compare.h"

#include "core/stats/stats_json.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wb::test {
namespace {

using stats::Element;
using stats::TensorStats;

void expectClose(const std::optional<double>& actual, const std::optional<double>& expected, double tolerance,
                 const std::string& what) {
    ASSERT_EQ(actual.has_value(), expected.has_value()) << what;
    if (actual) {
        EXPECT_NEAR(*actual, *expected, tolerance) << what;
    }
}

void expectMoments(const TensorStats& actual, const TensorStats& expected, const std::string& what, const Tolerances& tolerances) {
    const double rms = expected.rms.value_or(0);
    expectClose(actual.mean, expected.mean, tolerances.mean * rms, what + " mean");
    expectClose(actual.std, expected.std, tolerances.moments * expected.std.value_or(0), what + " std");
    expectClose(actual.rms, expected.rms, tolerances.moments * rms, what + " rms");
    const double kurtosis = expected.kurtosis.value_or(0) + 3;
    expectClose(actual.skew, expected.skew, tolerances.shape * std::pow(kurtosis, 0.75),
                what + " skew"); // of the third moment's own size
    expectClose(actual.kurtosis, expected.kurtosis, tolerances.shape * kurtosis, what + " kurtosis");
}

void expectTop(const TensorStats& actual, const TensorStats& expected, const std::string& what) {
    ASSERT_EQ(actual.top.size(), expected.top.size()) << what;
    for (std::size_t i = 0; i < actual.top.size(); ++i) {
        EXPECT_EQ(actual.top[i].index, expected.top[i].index) << what << " top " << i;
        EXPECT_EQ(actual.top[i].value, expected.top[i].value) << what << " top " << i;
    }
}

void expectChannels(const TensorStats& actual, const TensorStats& expected, const std::string& what, const Tolerances& tolerances) {
    ASSERT_EQ(actual.channels.has_value(), expected.channels.has_value()) << what;
    if (!actual.channels) return;
    ASSERT_EQ(actual.channels->rms.size(), expected.channels->rms.size()) << what;
    for (std::size_t c = 0; c < actual.channels->rms.size(); ++c) {
        const double absmax = expected.channels->absmax[c];
        EXPECT_EQ(std::isnan(actual.channels->absmax[c]), std::isnan(absmax)) << what << " channel " << c;
        if (std::isnan(absmax)) continue;
        EXPECT_EQ(actual.channels->absmax[c], absmax) << what << " channel " << c;
        const double rms = expected.channels->rms[c];
        EXPECT_NEAR(actual.channels->rms[c], rms, tolerances.moments * rms) << what << " channel " << c;
    }
}

} // namespace

std::string exactText(const TensorStats& stats, const Shape& shape) {
    std::string text;
    JsonWriter out([&text](std::string_view piece) { text += piece; });
    writeJson(out, stats, shape);
    out.finish();
    return text;
}

void expectSame(const TensorStats& actual, const TensorStats& expected, const std::string& what, const Tolerances& tolerances) {
    EXPECT_EQ(actual.count, expected.count) << what;
    EXPECT_EQ(actual.finite, expected.finite) << what;
    EXPECT_EQ(actual.nan, expected.nan) << what;
    EXPECT_EQ(actual.inf, expected.inf) << what;
    EXPECT_EQ(actual.zeros, expected.zeros) << what;
    EXPECT_EQ(actual.denormal, expected.denormal) << what;
    EXPECT_EQ(actual.outliers6, expected.outliers6) << what;
    EXPECT_EQ(actual.min, expected.min) << what;
    EXPECT_EQ(actual.max, expected.max) << what;
    EXPECT_EQ(actual.absmax, expected.absmax) << what;
    EXPECT_EQ(actual.percentiles, expected.percentiles) << what;
    ASSERT_EQ(actual.histogram.has_value(), expected.histogram.has_value()) << what;
    if (actual.histogram) {
        EXPECT_EQ(actual.histogram->counts, expected.histogram->counts) << what;
    }
    expectMoments(actual, expected, what, tolerances);
    expectTop(actual, expected, what);
    expectChannels(actual, expected, what, tolerances);
}

} // namespace wb::test
