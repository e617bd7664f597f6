// SPDX-License-Identifier: MIT
#include "core/stats/stored_block.h"
#include "made_tensor.h"

#include <gtest/gtest.h>

namespace wb::stats {
namespace {

TEST(StoredBlock, ReadsTheBlockOfAnElement) {
    const auto shape = *Shape::make({3, 64});
    const TensorReader reader = test::makeReader(Dtype::Q8_0, shape, test::randomBytes(Dtype::Q8_0, shape.elements(), 1));
    const auto pass = readBlock(reader, 70);
    ASSERT_TRUE(pass);
    EXPECT_EQ(pass->first, 64u);
    EXPECT_EQ(pass->number(), 2u);
    EXPECT_EQ(pass->bytes.size(), 34u);
    ASSERT_TRUE(pass->parts);
    EXPECT_EQ(pass->values[6], double{pass->parts->scales[0] * pass->parts->levels[6]});
    EXPECT_FALSE(readBlock(reader, 192));
}

TEST(StoredBlock, ReadsPlainElements) {
    const TensorReader reader = test::makeRow(Dtype::F64, std::vector<double>{1, 1e300});
    const auto pass = readBlock(reader, 1);
    ASSERT_TRUE(pass);
    EXPECT_EQ(pass->values, (std::vector<double>{1e300}));
    EXPECT_EQ(pass->bytes.size(), 8u);
    EXPECT_FALSE(pass->parts);
}

} // namespace
} // namespace wb::stats
