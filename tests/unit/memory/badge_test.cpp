// SPDX-License-Identifier: MIT
#include "core/memory/cards/badge.h"

#include <gtest/gtest.h>

namespace wb::memory {
namespace {

TEST(Badges, TakeTheBestMemoryAndAGraphicsDeviceOfEqualOnes) {
    const Subject subject = *subjectOfSize("Llama-3.1-8B"); // 16 GB in 16 bits
    const Memory main{.name = {}, .side = Side::Processor, .bytes = 64ull << 30, .margin = usualMargin};
    const Memory small{.name = "small", .bytes = 8ull << 30, .margin = usualMargin};
    const Memory large{.name = "large", .bytes = 24ull << 30, .margin = usualMargin};
    const auto badge = [&](std::initializer_list<Memory> memories) {
        const std::vector<Memory> all = memories;
        const auto result = fitBadge(subject, all);
        EXPECT_TRUE(result);
        return result.value_or(Badge{});
    };
    EXPECT_EQ(badge({main, small}).device, "");
    EXPECT_EQ(badge({main, small}).verdict, Verdict::Fits);
    EXPECT_EQ(badge({main, large}).device, "large");
    EXPECT_EQ(badge({main, large}).context, 8192u);
    const Memory little{.name = {}, .side = Side::Processor, .bytes = 4ull << 30};
    EXPECT_EQ(badge({little, small}).verdict, Verdict::No);
    EXPECT_EQ(badge({}).verdict, Verdict::No);
}

} // namespace
} // namespace wb::memory
