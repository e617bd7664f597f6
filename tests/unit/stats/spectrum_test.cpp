// SPDX-License-Identifier: MIT
#include "core/stats/spectral/spectrum.h"

#include "core/base/json_writer.h"
#include "core/stats/spectral/products.h"
#include "core/stats/spectral/symmetric.h"
#include "tests/unit/stats/made_tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <random>

namespace wb::stats {
namespace {

// The values of which the references below were computed: a generator that every language has, with a heavy tail.
std::vector<float> heavyTail(std::size_t count, std::uint64_t seed) {
    std::vector<float> values;
    for (std::uint64_t state = seed; values.size() < count;) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const double u = (static_cast<double>(state >> 40) + 0.5) / 16777216;
        values.push_back(static_cast<float>((u - 0.5) / (u * (1 - u) + 0.003)));
    }
    return values;
}

Result<Spectrum> spectrumOf(const std::vector<float>& values, const std::vector<std::uint64_t>& shape,
                            SpectrumOptions options = {}) {
    options.threads = 2;
    return computeSpectrum(test::makeReader(Dtype::F32, *Shape::make(shape), values), "w", options);
}

// From numpy.linalg.svd 2.x in f64 and WWFit of WeightWatcher 0.7.7 (CalculatedContent/WeightWatcher,
// weightwatcher/WW_powerlaw.py).
TEST(Spectrum, AgreesWithNumpyAndWeightWatcher) {
    const auto tall = spectrumOf(heavyTail(96 * 64, 1), {96, 64});
    ASSERT_TRUE(tall) << tall.error().message();
    EXPECT_TRUE(tall->isComplete);
    ASSERT_EQ(tall->singularValues.size(), 64u);
    EXPECT_NEAR(tall->spectralNorm, 262.48239003102003, 1e-9);
    EXPECT_NEAR(tall->singularValues.back(), 15.049222070084737, 1e-9);
    EXPECT_NEAR(*tall->stableRank, 14.321235332278754, 1e-10);
    EXPECT_NEAR(*tall->effectiveRank, 53.43136536980137, 1e-9);
    EXPECT_NEAR(*tall->condition, 262.48239003102003 / 15.049222070084737, 1e-9);
    ASSERT_TRUE(tall->tail);
    EXPECT_NEAR(tall->tail->alpha, 1.980111946447202, 1e-9);
    EXPECT_NEAR(tall->tail->distance, 0.12632381129147374, 1e-9);
    EXPECT_NEAR(tall->tail->lambdaMin, 7067.133974604277, 1e-6);
    EXPECT_EQ(tall->tail->values, 37u);
    const auto wide = spectrumOf(heavyTail(64 * 160, 2), {64, 160});
    ASSERT_TRUE(wide);
    EXPECT_NEAR(wide->spectralNorm, 305.9055240758662, 1e-9);
    EXPECT_NEAR(*wide->effectiveRank, 57.7708799865524, 1e-9);
    EXPECT_NEAR(wide->tail->alpha, 2.4133832691937664, 1e-9);
}

TEST(Spectrum, OfADiagonalMatrixIsItsDiagonal) {
    std::vector<float> values(16);
    for (std::size_t i = 0; i < 4; ++i) values[5 * i] = static_cast<float>(i + 1);
    const auto spectrum = spectrumOf(values, {4, 4});
    ASSERT_TRUE(spectrum);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(spectrum->singularValues[i], 4 - static_cast<double>(i), 1e-12);
    EXPECT_NEAR(*spectrum->stableRank, 30.0 / 16, 1e-12);
    EXPECT_EQ(spectrum->energyRanks[0], 3u);
    EXPECT_NEAR(*spectrum->participation, 30.0 * 30 / 354, 1e-12);
}

// Rank 40 of 1,030: the randomized method finds the whole range.
TEST(Spectrum, TheRandomizedMethodFindsALowRank) {
    constexpr std::size_t rows = 1100, columns = 1030, rank = 40;
    const auto left = heavyTail(rows * rank, 3), right = heavyTail(rank * columns, 4);
    std::vector<float> values(rows * columns);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < rank; ++k)
            for (std::size_t j = 0; j < columns; ++j) values[i * columns + j] += left[i * rank + k] * right[k * columns + j] / 100;
    const auto exact = spectrumOf(values, {rows, columns});
    const auto fast = spectrumOf(values, {rows, columns}, {.isFast = true});
    ASSERT_TRUE(exact && fast);
    EXPECT_TRUE(exact->isComplete);
    EXPECT_FALSE(fast->isComplete);
    EXPECT_LT(fast->residual, 1e-4);
    for (std::size_t i = 0; i < rank; ++i) EXPECT_NEAR(fast->singularValues[i] / exact->singularValues[i], 1, 1e-6) << i;
    EXPECT_NEAR(fast->norm, exact->norm, 1e-9 * exact->norm);
    EXPECT_FALSE(fast->effectiveRank);
}

TEST(Spectrum, DoesNotDependOnThreads) {
    for (const bool isFast : {false, true}) {
        const std::uint64_t side = isFast ? 1030 : 300;
        const auto values = heavyTail(side * side, 5);
        std::vector<double> first;
        for (const unsigned threads : {1u, 3u}) {
            SpectrumOptions options;
            options.isFast = isFast;
            options.threads = threads;
            const auto spectrum = computeSpectrum(test::makeReader(Dtype::F32, *Shape::make({side, side}), values), "w", options);
            ASSERT_TRUE(spectrum);
            if (first.empty()) first = spectrum->singularValues;
            EXPECT_EQ(first, spectrum->singularValues);
        }
    }
}

TEST(Spectrum, RefusesWhatHasNone) {
    std::vector<float> values(6, 1);
    EXPECT_EQ(spectrumOf(values, {6}).error().code, ErrorCode::Invalid);
    EXPECT_EQ(spectrumOf({}, {0, 3}).error().code, ErrorCode::Invalid);
    values[4] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THAT(spectrumOf(values, {2, 3}).error().message(), testing::HasSubstr("NaN"));
    EXPECT_EQ(spectrumOf(std::vector<float>(64 * 64, 1), {64, 64}, {.memory = 1000}).error().code, ErrorCode::TooLarge);
    std::stop_source stop;
    stop.request_stop();
    SpectrumOptions stopped;
    stopped.progress.stop = stop.get_token();
    EXPECT_EQ(spectrumOf(std::vector<float>(6, 1), {2, 3}, stopped).error().code, ErrorCode::Canceled);
}

TEST(Spectrum, OfZerosHasNoRanks) {
    const auto spectrum = spectrumOf(std::vector<float>(12), {3, 4});
    ASSERT_TRUE(spectrum);
    EXPECT_EQ(spectrum->spectralNorm, 0);
    EXPECT_FALSE(spectrum->stableRank || spectrum->effectiveRank || spectrum->tail || spectrum->condition);
    std::string text;
    JsonWriter out([&](std::string_view piece) { text += piece; });
    writeJson(out, *spectrum);
    out.finish();
    EXPECT_TRUE(nlohmann::json::parse(text)["alpha"].is_null());
}

TEST(Spectrum, FiltersOfAConvolutionAreOneMatrix) {
    const auto spectrum = spectrumOf(heavyTail(4 * 3 * 3 * 3, 6), {4, 3, 3, 3});
    ASSERT_TRUE(spectrum);
    EXPECT_EQ(spectrum->columns, 27u);
    EXPECT_EQ(spectrum->singularValues.size(), 4u);
}

TEST(PowerLawFit, NeedsDifferentValues) {
    EXPECT_FALSE(fitPowerLaw({}));
    EXPECT_FALSE(fitPowerLaw(std::vector{2.0}));
    EXPECT_FALSE(fitPowerLaw(std::vector{2.0, 2.0, 2.0}));
    EXPECT_TRUE(fitPowerLaw(std::vector{1.0, 2.0, 4.0}));
}

TEST(Products, VectorsAgreeWithTheirTwin) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    for (const std::size_t count : {0u, 1u, 3u, 4u, 9u})
        for (const std::size_t width : {0u, 1u, 5u, 8u, 37u}) {
            std::vector<double> factors(count), rows(count * (width + 2)), sum(width, 1.5);
            for (double& value : factors) value = normal(random);
            for (double& value : rows) value = normal(random);
            auto twin = sum;
            addProducts(factors, rows.data(), width + 2, sum);
            scalar::addProducts(factors, rows.data(), width + 2, twin);
            for (std::size_t i = 0; i < width; ++i) EXPECT_NEAR(sum[i], twin[i], 1e-13);
        }
}

} // namespace
} // namespace wb::stats
