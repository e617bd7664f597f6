// SPDX-License-Identifier: MIT
#include "core/base/ascii.h"
#include "core/base/split_name.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

TEST(SplitName, IsTakenApart) {
    const auto name = parseSplitName("model-00002-of-00005");
    ASSERT_TRUE(name);
    EXPECT_EQ(name->stem, "model");
    EXPECT_EQ(name->number, 2u);
    EXPECT_EQ(name->count, 5u);
    EXPECT_EQ(parseSplitName(splitSuffix(7, 99'999))->count, 99'999u);
    for (const char* other :
         {"", "model", "model-0002-of-00005", "model-00002-of-0000x", "model_00002-of-00005", "model-00002-by-00005"})
        EXPECT_FALSE(parseSplitName(other)) << other;
}

TEST(Ascii, FoldsLettersOnly) {
    EXPECT_EQ(ascii::lowered("ABZ[az\xC4"), "abz[az\xC4");
    EXPECT_TRUE(ascii::same("Q4_k", "q4_K"));
    EXPECT_FALSE(ascii::same("Q4_K", "Q4_KS"));
    EXPECT_TRUE(ascii::isDigit('9') && !ascii::isDigit(':'));
}

} // namespace
} // namespace wb
