// SPDX-License-Identifier: MIT
#include "core/stats/block_look.h"
#include "made_tensor.h"

#include <gtest/gtest.h>

namespace wb::stats {
namespace {

TEST(BlockLook, ReadsTheBlockOfAnElement) {
    const auto shape = *Shape::make({3, 64});
    const TensorReader reader = test::makeReader(Dtype::Q8_0, shape, test::randomBytes(Dtype::Q8_0, shape.elements(), 1));
    const auto look = readBlock(reader, 70);
    ASSERT_TRUE(look);
    EXPECT_EQ(look->first, 64u);
    EXPECT_EQ(look->number(), 2u);
    EXPECT_EQ(look->bytes.size(), 34u);
    ASSERT_TRUE(look->parts);
    EXPECT_EQ(look->values[6], double{look->parts->scales[0] * look->parts->levels[6]});
    EXPECT_FALSE(readBlock(reader, 192));
}

TEST(BlockLook, ReadsPlainElements) {
    const TensorReader reader = test::makeRow(Dtype::F64, std::vector<double>{1, 1e300});
    const auto look = readBlock(reader, 1);
    ASSERT_TRUE(look);
    EXPECT_EQ(look->values, (std::vector<double>{1e300}));
    EXPECT_EQ(look->bytes.size(), 8u);
    EXPECT_FALSE(look->parts);
}

} // namespace
} // namespace wb::stats
