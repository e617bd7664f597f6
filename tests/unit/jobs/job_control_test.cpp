// SPDX-License-Identifier: MIT
#include "core/jobs/job_control.h"

#include <gtest/gtest.h>

namespace wb::jobs {
namespace {

TEST(JobControl, KeepsTheLastFigures) {
    int notices = 0;
    JobControl control([&notices] { ++notices; });
    const Progress progress = control.progress();
    EXPECT_TRUE(progress.at(3, 10));
    EXPECT_TRUE(progress.at(7, 10));
    EXPECT_EQ(control.done(), 7u);
    EXPECT_EQ(control.total(), 10u);
    EXPECT_GE(notices, 1);
}

TEST(JobControl, StopsTheWork) {
    JobControl control([] {});
    const Progress progress = control.progress();
    control.setPaused(true);
    control.requestStop();
    EXPECT_TRUE(control.stopRequested());
    const auto stopped = progress.at(1, 2);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::Canceled);
}

TEST(JobControl, CanBeClaimedOnce) {
    JobControl control([] {});
    EXPECT_TRUE(control.claim());
    EXPECT_FALSE(control.claim());
}

} // namespace
} // namespace wb::jobs
