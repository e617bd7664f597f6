// SPDX-License-Identifier: MIT
#include "core/base/counts.h"

#include <gtest/gtest.h>

#include <limits>

namespace wb {
namespace {

TEST(Counts, AreGroupedInThousands) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(1'234'567), "1,234,567");
    EXPECT_EQ(grouped(std::numeric_limits<std::uint64_t>::max()), "18,446,744,073,709,551,615");
}

TEST(Counts, FillFieldsGroupedAndAllElseAsItIs) {
    EXPECT_EQ(countText(std::size_t{12'345}), "12,345");
    EXPECT_EQ(countText("12345"), "12345");
    EXPECT_EQ(countText(12345.5), "12345.5");
    EXPECT_EQ(countText(-12345), "-12345");
}

} // namespace
} // namespace wb
