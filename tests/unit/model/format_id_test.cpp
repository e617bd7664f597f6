// SPDX-License-Identifier: MIT
#include "core/model/format_id.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace wb {
namespace {

TEST(FormatId, HasANameAndATitleOfItsOwn) {
    std::set<std::string> names, titles;
    for (int i = 0; i <= static_cast<int>(FormatId::Word2Vec); ++i) {
        const auto format = static_cast<FormatId>(i);
        EXPECT_EQ(formatFromName(formatName(format)), format);
        EXPECT_TRUE(names.insert(formatName(format)).second) << formatName(format);
        EXPECT_TRUE(titles.insert(formatTitle(format)).second) << formatTitle(format);
    }
    EXPECT_STREQ(formatName(FormatId::TfCheckpoint), "tf-checkpoint");
    EXPECT_EQ(formatFromName("GGUF"), std::nullopt);
}

} // namespace
} // namespace wb
