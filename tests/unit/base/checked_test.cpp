// SPDX-License-Identifier: MIT
#include "core/base/checked.h"

#include <gtest/gtest.h>

namespace wb::checked {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

TEST(Checked, AddEndsAtTheLargestNumber) {
    EXPECT_EQ(add(most - 1, 1), most);
    EXPECT_EQ(add(most, 0), most);
    EXPECT_EQ(add(most, 1), std::nullopt);
    EXPECT_EQ(add(most, most), std::nullopt);
}

TEST(Checked, SubEndsAtZero) {
    EXPECT_EQ(sub(5, 5), 0u);
    EXPECT_EQ(sub(5, 6), std::nullopt);
    EXPECT_EQ(sub(0, most), std::nullopt);
}

TEST(Checked, MulEndsAtTheLargestNumber) {
    EXPECT_EQ(mul(0, most), 0u);
    EXPECT_EQ(mul(most, 0), 0u);
    EXPECT_EQ(mul(most, 1), most);
    EXPECT_EQ(mul(1ULL << 32, (1ULL << 32) - 1), most - (1ULL << 32) + 1);
    EXPECT_EQ(mul(1ULL << 32, 1ULL << 32), std::nullopt);
    EXPECT_EQ(mul(most, 2), std::nullopt);
    EXPECT_EQ(mul(3, most / 3), most);
    EXPECT_EQ(mul(3, most / 3 + 1), std::nullopt);
}

TEST(Checked, AlignUpTakesPowersOfTwoOnly) {
    EXPECT_EQ(alignUp(0, 32), 0u);
    EXPECT_EQ(alignUp(1, 32), 32u);
    EXPECT_EQ(alignUp(32, 32), 32u);
    EXPECT_EQ(alignUp(33, 32), 64u);
    EXPECT_EQ(alignUp(7, 1), 7u);
    EXPECT_EQ(alignUp(7, 0), std::nullopt);
    EXPECT_EQ(alignUp(7, 24), std::nullopt);
    EXPECT_EQ(alignUp(most, 1), most);
    EXPECT_EQ(alignUp(most - 31, 32), most - 31);
    EXPECT_EQ(alignUp(most - 30, 32), std::nullopt);
    EXPECT_EQ(alignUp(1, 1ULL << 63), 1ULL << 63);
    EXPECT_EQ(alignUp((1ULL << 63) + 1, 1ULL << 63), std::nullopt);
}

TEST(Checked, NarrowKeepsTheSign) {
    EXPECT_EQ((narrow<std::uint8_t>(255)), 255);
    EXPECT_EQ((narrow<std::uint8_t>(256)), std::nullopt);
    EXPECT_EQ((narrow<std::uint64_t>(-1)), std::nullopt);
    EXPECT_EQ((narrow<std::int64_t>(most)), std::nullopt);
    EXPECT_EQ((narrow<std::int8_t>(-128)), -128);
}

} // namespace
} // namespace wb::checked
