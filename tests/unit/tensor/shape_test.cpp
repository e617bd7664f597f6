// SPDX-License-Identifier: MIT
#include "core/tensor/shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb {
namespace {

using testing::ElementsAre;

TEST(Shape, RowsAndElements) {
    const Shape shape = *Shape::make({4, 6, 8});
    EXPECT_EQ(shape.elements(), 192u);
    EXPECT_EQ(shape.rowLength(), 8u);
    EXPECT_EQ(shape.rows(), 24u);
    EXPECT_EQ(shape.toString(), "[4, 6, 8]");
    EXPECT_THAT(shape.coordinates(191), ElementsAre(3, 5, 7));
    EXPECT_THAT(shape.coordinates(8), ElementsAre(0, 1, 0));
}

TEST(Shape, AScalarHasOneElement) {
    const Shape scalar;
    EXPECT_EQ(scalar.elements(), 1u);
    EXPECT_EQ(scalar.rowLength(), 1u);
    EXPECT_EQ(scalar.rows(), 1u);
    EXPECT_EQ(scalar.toString(), "[]");
    EXPECT_EQ(*Shape::make({}), scalar);
}

TEST(Shape, AZeroDimensionEmptiesItWhateverTheOthersAre) {
    constexpr std::uint64_t huge = std::uint64_t{1} << 40;
    const auto shape = Shape::make({huge, huge, 0});
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->elements(), 0u);
    EXPECT_EQ(shape->rows(), 0u);
    EXPECT_EQ(Shape::make({0, 5})->rows(), 0u);
}

TEST(Shape, ProductsFrom2To63AreRefused) {
    constexpr std::uint64_t half = std::uint64_t{1} << 32;
    EXPECT_FALSE(Shape::make({half, half})) << "would wrap to zero";
    EXPECT_FALSE(Shape::make({half, half / 2})) << "is 2^63";
    EXPECT_TRUE(Shape::make({half, half / 4}));
}

TEST(Shape, RankIsLimited) {
    EXPECT_TRUE(Shape::make(std::vector<std::uint64_t>(Shape::maximumRank, 1)));
    EXPECT_FALSE(Shape::make(std::vector<std::uint64_t>(Shape::maximumRank + 1, 1)));
}

} // namespace
} // namespace wb
