// SPDX-License-Identifier: MIT
#include "app/cli/progress_line.h"

#include <gtest/gtest.h>

namespace wb::cli {
namespace {

constexpr std::uint64_t mebibyte = 1 << 20;

TEST(ProgressText, SaysWhatIsDoneAndWhatIsLeft) {
    EXPECT_EQ(progressText("quantize", 0, 0, 300 * mebibyte, 0), "quantize: 0 B of 300 MiB");
    EXPECT_EQ(progressText("quantize", 0, 100 * mebibyte, 300 * mebibyte, 4), "quantize: 100 MiB of 300 MiB, 25.0 MiB/s, 8 s left");
    EXPECT_EQ(progressText("quantize", 0, mebibyte, 4000 * mebibyte, 1),
              "quantize: 1.00 MiB of 3.91 GiB, 1.00 MiB/s, 1 h 6 min left");
}

TEST(ProgressText, DoesNotTakeResumedWorkForSpeed) {
    EXPECT_EQ(progressText("quantize", 200 * mebibyte, 202 * mebibyte, 300 * mebibyte, 2),
              "quantize: 202 MiB of 300 MiB, 1.00 MiB/s, 1 min 38 s left");
}

TEST(ProgressText, ShowsOtherWorkAsItsShareOfTheBytes) {
    EXPECT_EQ(proportionalShare(300 * mebibyte, 1000, 3000), 100 * mebibyte);
    EXPECT_EQ(proportionalShare(300 * mebibyte, 3000, 3000), 300 * mebibyte);
    EXPECT_EQ(proportionalShare(7, 0, 0), 7u);
    EXPECT_EQ(proportionalShare(1ull << 50, 1ull << 50, 1ull << 51), 1ull << 49);
}

} // namespace
} // namespace wb::cli
