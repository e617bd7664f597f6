// SPDX-License-Identifier: MIT
#include "core/quant/kernels/near_lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>

namespace wb::quant {
namespace {

struct Digits {
    unsigned count, bits, levels;
};

// The first nearest of the candidates, as the scalar form walks them.
unsigned nearest(std::span<const std::uint16_t> candidates, const Digits& digits, std::span<const float> y,
                 std::span<const float> weights) {
    float best = std::numeric_limits<float>::max();
    unsigned found = 0;
    for (const unsigned candidate : candidates) {
        float distance = 0;
        for (unsigned i = 0; i < digits.count; ++i) {
            const unsigned digit = candidate >> (digits.bits * i) & ((1u << digits.bits) - 1);
            const float e = static_cast<float>(2 * digit + 1) - y[i];
            distance += weights[i] * e * e;
        }
        if (distance < best) {
            best = distance;
            found = candidate;
        }
    }
    return found;
}

// Values that round to random codes, some beyond the outer levels, some weights 0.
void expectSameNearest(const Grid& grid, const Digits& digits) {
    const NearLists lists(grid, digits.bits, 4);
    std::mt19937 random(7);
    std::uniform_real_distribution<float> within(-0.9998f, 0.9998f), beyond(1, 3), weight(-0.2f, 1);
    for (int trial = 0; trial < 20000; ++trial) {
        std::array<float, 8> y{}, weights{};
        unsigned code = 0;
        for (unsigned i = 0; i < digits.count; ++i) {
            const unsigned digit = static_cast<unsigned>(random() % digits.levels);
            code |= digit << (digits.bits * i);
            const float outside = random() % 4 == 0 ? beyond(random) : within(random);
            const float off = digit == 0 ? -outside : digit + 1 == digits.levels ? outside : within(random);
            y[i] = static_cast<float>(2 * digit + 1) + off;
            weights[i] = std::max(0.0f, weight(random));
        }
        ASSERT_EQ(lists.of(code).size() % 4, 0u);
        if (grid.pointOf(code) >= 0) ASSERT_EQ(lists.of(code)[0], code);
        else ASSERT_EQ(nearest(lists.of(code), digits, y, weights), nearest(grid.neighborCodes(code), digits, y, weights)) << code;
    }
}

TEST(NearLists, HoldTheNearestOfEveryNeighbor) {
    expectSameNearest(gridIq2Xxs(), {8, 2, 3});
    expectSameNearest(gridIq2Xs(), {8, 2, 3});
    expectSameNearest(gridIq2S(), {8, 2, 3});
    expectSameNearest(gridIq3Xxs(), {4, 3, 8});
    expectSameNearest(gridIq3S(), {4, 3, 8});
}

TEST(NearLists, AreMuchShorter) {
    const Grid& grid = gridIq2Xs();
    const NearLists lists(grid, 2, 1);
    std::size_t near = 0, all = 0;
    for (unsigned code = 0; code < 1u << 16; ++code) {
        if (grid.neighborCodes(code).empty()) continue;
        near += lists.of(code).size();
        all += grid.neighbors(code).size();
    }
    EXPECT_LT(3 * near, 2 * all);
}

std::size_t longest(const Grid& grid, unsigned bits) {
    const NearLists lists(grid, bits, 1);
    std::size_t most = 0;
    for (unsigned code = 0; code < 1u << (grid.digits() * bits); ++code) most = std::max(most, lists.of(code).size());
    return most;
}

TEST(NearLists, AreNoLongerThanTheyPromise) {
    EXPECT_EQ(std::max({longest(gridIq2Xxs(), 2), longest(gridIq2Xs(), 2), longest(gridIq2S(), 2)}), NearLists::maxOfIq2);
    EXPECT_EQ(std::max(longest(gridIq3Xxs(), 3), longest(gridIq3S(), 3)), NearLists::maxOfIq3);
}

} // namespace
} // namespace wb::quant
