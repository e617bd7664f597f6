// SPDX-License-Identifier: MIT
#include "core/merge/kernels.h"
#include "tests/unit/support/simd_targets.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

// Every vector form gives the bits of the readable one, for lengths around those of vectors.
namespace wb::merge {
namespace {

using Values = std::vector<float>;

constexpr std::array<std::size_t, 9> lengths = {0, 1, 3, 15, 16, 17, 64, 191, 4096};

// Few distinct magnitudes, so that many are equal; zeros of both signs among them.
Values someValues(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    Values values(count);
    for (float& value : values) {
        value = static_cast<float>(static_cast<int>(random() % 41) - 20) * 0.37f;
        if (random() % 7 == 0) value = random() % 2 == 0 ? 0.0f : -0.0f;
    }
    return values;
}

std::vector<std::uint32_t> bits(const Values& values) {
    std::vector<std::uint32_t> out;
    for (const float value : values) out.push_back(std::bit_cast<std::uint32_t>(value));
    return out;
}

// `run(own)` gives what a form leaves behind; `own` chooses the readable one.
template <typename Run>
void expectEqualForms(Run run) {
    for (const std::size_t count : lengths) {
        SCOPED_TRACE(count);
        const auto truth = run(count, true);
        test::forEachSimdTarget([&] { EXPECT_EQ(run(count, false), truth); });
    }
}

TEST(MergeKernels, SumsAndDifferencesAreThoseOfTheReadableForm) {
    expectEqualForms([](std::size_t count, bool isScalar) {
        const Values left = someValues(count, 1), right = someValues(count, 2);
        Values out(count), sums = someValues(count, 3);
        (isScalar ? scalar::subtract : subtract)(left, right.data(), out.data());
        (isScalar ? scalar::addScaled : addScaled)(out, 0.3f, sums.data());
        (isScalar ? scalar::multiply : multiply)(sums, -1.7f);
        if (isScalar) scalar::divide(sums, 3.1f), scalar::divide(sums, right.data());
        else divide(sums, 3.1f), divide(sums, right.data());
        return bits(sums);
    });
}

TEST(MergeKernels, DropsTheSmallAndOfEqualOnesTheLast) {
    for (const std::uint64_t equal : {0u, 1u, 5u, 40u, 5000u})
        expectEqualForms([equal](std::size_t count, bool isScalar) {
            Values values = someValues(count, 4);
            const Kept kept{magnitudeBits(8 * 0.37f), equal, false, 1};
            std::uint64_t before = 2;
            (isScalar ? scalar::dropSmall : dropSmall)(values, kept, before);
            return std::pair(bits(values), before);
        });
    Values values = {1, -2, 2, 3, -2};
    std::uint64_t before = 0;
    dropSmall(values, {magnitudeBits(2), 2, false, 1}, before);
    EXPECT_EQ(values, (Values{0, -2, 2, 3, 0}));
    EXPECT_EQ(before, 3u);
}

TEST(MergeKernels, ElectsBySign) {
    expectEqualForms([](std::size_t count, bool isScalar) {
        const Values values = someValues(count, 5), signs = someValues(count, 6);
        Values sums = someValues(count, 7), weights(count, 0.5f);
        (isScalar ? scalar::addElected : addElected)(values, signs.data(), 0.7f, sums.data(), weights.data());
        return std::pair(bits(sums), bits(weights));
    });
}

TEST(MergeKernels, AddsProductsInTheOrderOfTheRank) {
    expectEqualForms([](std::size_t count, bool isScalar) {
        constexpr std::size_t rank = 5;
        const Values left = someValues(rank, 8), right = someValues(rank * (count + 3), 9);
        Values values = someValues(count, 10);
        (isScalar ? scalar::addProduct : addProduct)(values, {left, right.data() + 1, count + 3}, 0.9f);
        return bits(values);
    });
}

TEST(MergeKernels, CountsMagnitudes) {
    expectEqualForms([](std::size_t count, bool isScalar) {
        const Values left = someValues(count, 11), right = someValues(count, 12);
        constexpr unsigned lowBits = 15;
        const std::uint32_t magnitude = magnitudeBits(right.empty() ? 1.0f : right[0] - left[0]);
        std::vector<std::uint32_t> counts(1u << lowBits);
        (isScalar ? scalar::countLowBits : countLowBits)(left, right.data(), magnitude >> lowBits, lowBits, counts.data());
        const auto equal = (isScalar ? scalar::countMagnitude : countMagnitude)(left, right.data(), magnitude);
        EXPECT_EQ(counts[magnitude & ((1u << lowBits) - 1)], equal);
        EXPECT_EQ(equal > 0, count > 0);
        return std::pair(counts, equal);
    });
}

TEST(MergeKernels, FindsWhatIsNotFinite) {
    for (const float bad : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(), std::nanf("")})
        for (const std::size_t at : {0u, 18u, 63u, 66u}) {
            Values values = someValues(67, 13);
            EXPECT_TRUE(scalar::areFinite(values));
            test::forEachSimdTarget([&] { EXPECT_TRUE(areFinite(values)); });
            values[at] = bad;
            EXPECT_FALSE(scalar::areFinite(values));
            test::forEachSimdTarget([&] { EXPECT_FALSE(areFinite(values)) << at; });
        }
}

TEST(MergeKernels, RoundsToBf16) {
    expectEqualForms([](std::size_t count, bool isScalar) {
        std::mt19937 random(14);
        Values values(count);
        for (float& value : values) value = std::bit_cast<float>(static_cast<std::uint32_t>(random())); // NaN and infinity too
        constexpr std::array<std::uint32_t, 6> special = {0x3F808000u, 0x3F818000u, 0x7F800000u,
                                                          0xFF800001u, 0x7FFFFFFFu, 0x7F7FFFFFu};
        for (std::size_t i = 0; i < std::min(count, special.size()); ++i) values[i] = std::bit_cast<float>(special[i]);
        std::vector<std::byte> out(2 * count);
        (isScalar ? scalar::storeBf16 : storeBf16)(values, out.data());
        return out;
    });
}

} // namespace
} // namespace wb::merge
