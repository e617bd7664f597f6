// SPDX-License-Identifier: MIT
#include "core/base/size.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

TEST(ParseSize, KnowsDecimalAndBinaryUnits) {
    EXPECT_EQ(parseSize("4.2GB"), 4'200'000'000u);
    EXPECT_EQ(parseSize("4.2 gb"), 4'200'000'000u);
    EXPECT_EQ(parseSize("800 MB"), 800'000'000u);
    EXPECT_EQ(parseSize("1.5GiB"), 1'610'612'736u);
    EXPECT_EQ(parseSize("512k"), 512'000u);
    EXPECT_EQ(parseSize("123456"), 123'456u);
    EXPECT_EQ(parseSize("0.07KB"), 70u) << "not a byte less";
}

TEST(ParseSize, RefusesWhatIsNoSize) {
    for (const char* text : {"", "GB", "lots", "0", "0.1", "-1GB", "1e3", "4,2GB", "4.2.1GB", "1XB", "9999999TB"})
        EXPECT_FALSE(parseSize(text)) << text;
}

} // namespace
} // namespace wb
