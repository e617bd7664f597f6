// SPDX-License-Identifier: MIT
#include "core/stats/rules.h"
#include "core/stats/engine/tile_kernels.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <bit>
#include <cmath>
#include <random>

namespace wb::stats {
namespace {

// Every SIMD form that this machine can run, against the scalar twin.
class TileKernels : public testing::TestWithParam<std::int64_t> {
protected:
    TileKernels() { use(GetParam()); }
    ~TileKernels() override { use(0); }

private:
    static void use(std::int64_t targets) {
        hwy::SetSupportedTargetsForTest(targets);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
};

// Tiles of many lengths: weights, whole numbers (which meet the bounds of bins), subnormals and huge values.
std::vector<std::vector<float>> tiles() {
    std::mt19937 random(5);
    std::normal_distribution<float> normal(0.1f, 1);
    std::vector<std::vector<float>> all;
    for (const std::size_t n : {0u, 1u, 3u, 7u, 8u, 15u, 16u, 17u, 31u, 33u, 63u, 64u, 100u, 1000u, 4095u, 4096u})
        for (int kind = 0; kind < 4; ++kind) {
            std::vector<float> values(n);
            for (float& value : values) {
                const float weight = normal(random);
                value = kind == 0 ? weight : kind == 1 ? std::round(4 * weight) : kind == 2 ? weight * 1e-40f : weight * 5e37f;
            }
            all.push_back(std::move(values));
        }
    return all;
}

TEST_P(TileKernels, RangeAgrees) {
    for (const auto& values : tiles()) {
        const TileRange simd = computeRange(values);
        const TileRange twin = scalar::computeRange(values);
        EXPECT_EQ(simd.min, twin.min);
        EXPECT_EQ(simd.max, twin.max);
        EXPECT_EQ(simd.minMagnitude, twin.minMagnitude);
        EXPECT_NEAR(simd.sum, twin.sum, 1e-13 * std::abs(twin.sum) + 1e-12 * std::abs(values.empty() ? 0 : double{values[0]}));
    }
}

TEST_P(TileKernels, RangeSeesWhatIsNotFinite) {
    std::vector<float> values(100, 1);
    values[41] = -std::numeric_limits<float>::infinity();
    values[77] = std::bit_cast<float>(0x7FC00001u);
    EXPECT_EQ(computeRange(values).min, scalar::computeRange(values).min);
    EXPECT_EQ(computeRange(values).max, 0x7FC00001);
}

TEST_P(TileKernels, TinyCountsAgree) {
    for (auto values : tiles()) {
        for (std::size_t i = 0; i < values.size(); i += 5) values[i] = i % 2 == 0 ? 0.0f : -0.0f;
        const TinyCounts simd = countTiny(values);
        EXPECT_EQ(simd.zeros, scalar::countTiny(values).zeros);
        EXPECT_EQ(simd.subnormals, scalar::countTiny(values).subnormals);
    }
}

TEST_P(TileKernels, MomentsAgree) {
    for (const auto& values : tiles()) {
        const double sum = scalar::computeRange(values).sum;
        const Moments simd = computeMoments(values, sum);
        const Moments twin = scalar::computeMoments(values, sum);
        EXPECT_EQ(simd.n, twin.n);
        EXPECT_EQ(simd.mean, twin.mean);
        EXPECT_NEAR(simd.m2, twin.m2, 1e-13 * twin.m2);
        EXPECT_NEAR(simd.m3, twin.m3, 1e-13 * std::pow(twin.m4, 0.75) * std::pow(twin.n + 1, 0.25));
        EXPECT_NEAR(simd.m4, twin.m4, 1e-13 * twin.m4);
    }
}

TEST_P(TileKernels, SelectionAgrees) {
    std::mt19937 random(9);
    for (const auto& values : tiles()) {
        UpperHalves wanted;
        for (std::size_t i = 0; i < std::min(values.size(), UpperHalves::capacity); ++i)
            wanted.insert(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(values[random() % values.size()]) >> 16));
        std::vector<float> simd(values.size() + 16);
        std::vector<float> twin(values.size());
        simd.resize(select(values, wanted, simd.data()));
        twin.resize(scalar::select(values, wanted, twin.data()));
        EXPECT_EQ(simd, twin);
    }
}

TEST_P(TileKernels, BinsAgree) {
    for (const auto& values : tiles()) {
        if (values.empty()) continue;
        const auto [min, max] = std::ranges::minmax(values);
        for (const std::uint32_t bins : {1u, 7u, 256u, 1000u, 65'536u}) {
            const BinRule rule(double{min}, double{max}, bins);
            std::vector<std::uint32_t> simd(values.size());
            std::vector<std::uint32_t> twin(values.size());
            assignBins(values, rule, simd.data());
            scalar::assignBins(values, rule, twin.data());
            EXPECT_EQ(simd, twin) << bins << " bins of " << values.size();
            std::vector<std::uint8_t> bytes(values.size());
            assignBins(values, rule, bytes.data());
            for (std::size_t i = 0; i < bytes.size() && bins <= 256; ++i) EXPECT_EQ(bytes[i], twin[i]);
        }
    }
}

TEST_P(TileKernels, SpreadingPairsAgreesAndIsItsOwnInverse) {
    std::vector<std::uint16_t> all(65'536 + 3);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
    auto simd = all;
    auto twin = all;
    spreadPairs(simd);
    scalar::spreadPairs(twin);
    EXPECT_EQ(simd, twin);
    spreadPairs(simd);
    EXPECT_EQ(simd, all);
}

TEST_P(TileKernels, GreatestMagnitudeAgrees) {
    std::mt19937 random(1);
    for (const std::size_t n : {0u, 1u, 31u, 32u, 33u, 1000u}) {
        std::vector<std::uint16_t> words(n);
        for (auto& word : words) word = static_cast<std::uint16_t>(random());
        EXPECT_EQ(maxMagnitude(words), scalar::maxMagnitude(words));
    }
}

std::vector<std::int64_t> targets() {
    std::vector<std::int64_t> list;
    hwy::SetSupportedTargetsForTest(0);
    for (std::int64_t rest = hwy::SupportedTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1) list.push_back(rest & -rest);
    return list;
}

INSTANTIATE_TEST_SUITE_P(Simd, TileKernels, testing::ValuesIn(targets()),
                         [](const auto& tested) { return std::string(hwy::TargetName(tested.param)); });

} // namespace
} // namespace wb::stats
