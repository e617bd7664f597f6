// SPDX-License-Identifier: MIT
#include "core/quant/backend.h"
#include "core/quant/quantize.h"
#include "tests/unit/support/simd_targets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>

// The fast forms against their scalar twins, for every SIMD target this machine has.
namespace wb::quant {
namespace {

using Floats = std::vector<float>;

struct TestRow {
    std::string name;
    Floats x;
};

constexpr std::size_t shortRow = 1024;
constexpr std::size_t longRow = 4096 + 768; // more than the fast forms take at once, and no multiple of what they do

Floats normal(std::size_t count, float deviation, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> distribution(0, deviation);
    Floats values(count);
    for (float& value : values) value = distribution(random);
    return values;
}

TestRow fromNormal(const std::string& name, unsigned seed, const std::function<float(float, std::size_t)>& change) {
    Floats x = normal(shortRow, 1, seed);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = change(x[i], i);
    return {name, x};
}

std::vector<TestRow> typicalRows() {
    return {
        {"normal", normal(longRow, 0.02F, 1)},
        {"one super-block", normal(256, 0.02F, 2)},
        fromNormal("heavy tails", 3, [](float x, std::size_t) { return x * std::exp(2 * x) * 0.01F; }),
        fromNormal("outliers", 4, [](float x, std::size_t i) { return i % 97 == 5 ? 2 * x : 0.01F * x; }),
        fromNormal("positive", 5, [](float x, std::size_t) { return std::fabs(x) + 0.1F; }),
        fromNormal("negative", 6, [](float x, std::size_t) { return -std::fabs(x) - 0.1F; }),
        fromNormal("far from zero", 7, [](float x, std::size_t) { return 3 + 0.01F * x; }),
        fromNormal("far below zero", 8, [](float x, std::size_t) { return -3 + 0.01F * x; }),
        fromNormal("as bf16", 9, [](float x, std::size_t) { return std::round(x * 64) / 64; }),
    };
}

std::vector<TestRow> edgeRows() {
    const auto constant = [](const std::string& name, float value) { return TestRow{name, Floats(shortRow, value)}; };
    return {
        constant("zero", 0.0F),
        constant("minus zero", -0.0F),
        constant("one half", 0.5F),
        constant("minus a quarter", -0.25F),
        constant("smallest subnormal", 1e-45F),
        fromNormal("signed zeros", 10, [](float x, std::size_t) { return x < 0 ? -0.0F : 0.0F; }),
        fromNormal("zeros of both signs and one number", 11,
                   [](float x, std::size_t i) { return i % 32 == 7 ? 1.0F
                                                       : x < 0     ? -0.0F
                                                                   : 0.0F; }),
        fromNormal("zero sub-blocks", 12, [](float x, std::size_t i) { return i / 32 % 3 == 1 ? 0.0F : x; }),
        fromNormal("zero halves", 13, [](float x, std::size_t i) { return i % 32 < 16 ? 0.0F : x; }),
        fromNormal("zero super-blocks", 14, [](float x, std::size_t i) { return i / 256 % 2 == 1 ? 0.0F : x; }),
        fromNormal("constant sub-blocks", 15, [](float x, std::size_t i) { return i / 16 % 2 == 1 ? -0.7F : x; }),
        fromNormal("subnormal", 16, [](float x, std::size_t) { return x * 1e-40F; }),
        fromNormal("some subnormal sub-blocks", 17, [](float x, std::size_t i) { return i / 16 % 3 == 1 ? x * 1e-41F : x; }),
        fromNormal("tiny", 18, [](float x, std::size_t) { return x * 1e-30F; }),
        fromNormal("around the empty limits", 19,
                   [](float x, std::size_t i) { return x * std::pow(10.0F, -6.0F - static_cast<float>(i / 32 % 12)); }),
        fromNormal("near the limit of f16", 20, [](float x, std::size_t) { return x * 20000; }),
        fromNormal("large", 21, [](float x, std::size_t) { return x * 1e8F; }),
        fromNormal("sums of squares beyond f32", 30, [](float x, std::size_t) { return x * 4e18F; }),
        fromNormal("squares beyond f32", 31, [](float x, std::size_t) { return x * 1e21F; }),
        fromNormal("one number among zeros", 22, [](float x, std::size_t i) { return i % 64 == 11 ? x : 0.0F; }),
        fromNormal("two values", 23, [](float x, std::size_t) { return x < 0 ? -1.0F : 1.0F; }),
        fromNormal("three values", 24, [](float x, std::size_t) { return x < -0.5F  ? -1.0F
                                                                         : x < 0.5F ? 0.0F
                                                                                    : 1.0F; }),
        fromNormal("ramp", 25, [](float, std::size_t i) { return (static_cast<float>(i % 256) - 128) / 127; }),
        fromNormal("ties on a lattice", 26, [](float x, std::size_t) { return std::round(x * 8) * 0.125F; }),
        fromNormal("powers of two", 27,
                   [](float x, std::size_t i) { return std::ldexp(x < 0 ? -1.0F : 1.0F, static_cast<int>(i % 9) - 4); }),
        fromNormal("just below powers of two", 28,
                   [](float x, std::size_t i) {
                       return std::nextafter(std::ldexp(1.0F, static_cast<int>(i / 32 % 40) - 30), 0.0F) * (x < 0 ? -1.0F : 1.0F);
                   }),
        fromNormal("alternating", 29, [](float x, std::size_t i) { return (i % 2 == 0 ? 1.0F : -1.0F) * (1 + 1e-3F * x); }),
    };
}

Floats weightsFromCount(std::size_t count, unsigned zeroEvery) {
    Floats weights = normal(count, 1, 99);
    for (std::size_t i = 0; i < count; ++i) weights[i] = zeroEvery != 0 && i / 3 % zeroEvery == 0 ? 0.0F : weights[i] * weights[i];
    return weights;
}

Floats sparseWeights(std::size_t count) {
    Floats weights = normal(count, 1, 98);
    for (std::size_t i = 0; i < count; ++i) weights[i] = i % 32 == 5 || i % 16 == 11 ? weights[i] * weights[i] : 0.0F;
    return weights;
}

std::vector<std::byte> quantized(decltype(&quantizeRow) quantize, Dtype dtype, const Floats& x, const Floats& weights) {
    std::vector<std::byte> out(*rowBytes(dtype, x.size()), std::byte{0xAA});
    quantize(dtype, x, weights, out);
    return out;
}

class SimdTwin : public testing::TestWithParam<Dtype> {};

void expectTwins(Dtype dtype, const std::vector<TestRow>& rows) {
    for (const TestRow& row : rows) {
        std::vector<std::pair<std::string, Floats>> forms;
        if (weightUse(dtype) != WeightUse::Required) forms.emplace_back("plain", Floats());
        if (weightUse(dtype) != WeightUse::Ignored) {
            forms.emplace_back("weighted", weightsFromCount(row.x.size(), 0));
            forms.emplace_back("with zero weights", weightsFromCount(row.x.size(), 3));
            forms.emplace_back("hardly any weights", sparseWeights(row.x.size()));
            forms.emplace_back("all weights zero", Floats(row.x.size(), 0.0F));
        }
        for (const auto& [form, weights] : forms) {
            SCOPED_TRACE(std::string(name(dtype)) + ", " + row.name + ", " + form);
            const auto expected = quantized(scalar::quantizeRow, dtype, row.x, weights);
            test::forEachSimdTarget([&] {
                const auto ours = quantized(quantizeRow, dtype, row.x, weights);
                const auto [at, ignored] = std::ranges::mismatch(ours, expected);
                const auto place = static_cast<std::size_t>(at - ours.begin());
                if (at != ours.end())
                    ADD_FAILURE() << "block " << place / info(dtype).blockBytes << " byte " << place % info(dtype).blockBytes
                                  << ": " << std::to_integer<int>(*at) << " instead of " << std::to_integer<int>(expected[place]);
            });
        }
    }
}

TEST_P(SimdTwin, EqualsTheScalarFormOnTypicalRows) { expectTwins(GetParam(), typicalRows()); }
TEST_P(SimdTwin, EqualsTheScalarFormOnEdges) { expectTwins(GetParam(), edgeRows()); }

TEST_P(SimdTwin, LeavesTheUpperHalvesOfRegistersEmpty) {
    const Dtype dtype = GetParam();
    const Floats x = normal(longRow, 0.02F, 1);
    const Floats weights = weightUse(dtype) == WeightUse::Ignored ? Floats() : weightsFromCount(x.size(), 0);
    std::vector<std::byte> out(*rowBytes(dtype, x.size()));
    test::forEachSimdTarget([&] {
        quantizeRow(dtype, x, weights, out);
        EXPECT_FALSE(test::usesUpperHalves());
    });
}

// The CPU backend joins short rows; each must come out as it would alone, also the last ones, which are fewer.
TEST_P(SimdTwin, RowsTogetherEqualRowsAlone) {
    const Dtype dtype = GetParam();
    constexpr std::uint64_t columns = 768, count = 13;
    const Floats x = normal(columns * count, 0.05F, 30), weights = weightsFromCount(columns, 5);
    const std::size_t stride = *rowBytes(dtype, columns);
    for (const bool weighted : {false, true}) {
        if (weightUse(dtype) == (weighted ? WeightUse::Ignored : WeightUse::Required)) continue;
        const Rows rows{x, columns, weighted ? std::span<const float>(weights) : std::span<const float>()};
        std::vector<std::byte> together(stride * count);
        ASSERT_TRUE(makeCpuBackend()->quantize(dtype, rows, together).has_value());
        for (std::uint64_t r = 0; r < count; ++r) {
            std::vector<std::byte> alone(stride);
            quantizeRow(dtype, std::span(x).subspan(r * columns, columns), rows.weights, alone);
            EXPECT_TRUE(std::ranges::equal(alone, std::span(together).subspan(r * stride, stride))) << name(dtype) << " row " << r;
        }
    }
}

std::vector<Dtype> simdTargets() {
    std::vector<Dtype> out;
    for (const DtypeInfo& type : allDtypes())
        if (canQuantize(type.dtype)) out.push_back(type.dtype);
    return out;
}

INSTANTIATE_TEST_SUITE_P(AllTypes, SimdTwin, testing::ValuesIn(simdTargets()),
                         [](const auto& type) { return std::string(name(type.param)); });

} // namespace
} // namespace wb::quant
