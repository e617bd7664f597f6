// SPDX-License-Identifier: MIT
#include "core/jobs/job_threads.h"

#include "core/jobs/pause_gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>

namespace wb::jobs {
namespace {

using Lane = JobThreads::Lane;

TEST(JobThreads, RunsEveryTaskOnce) {
    std::atomic<int> runs{0};
    std::promise<void> all;
    JobThreads threads(2, 4);
    for (int i = 0; i < 1000; ++i)
        threads.submit(i % 2 == 0 ? Lane::Quick : Lane::Long, [&] {
            if (++runs == 1000) all.set_value();
        });
    all.get_future().wait();
    EXPECT_EQ(runs, 1000);
}

TEST(JobThreads, ALaneOfOneKeepsTheOrder) {
    std::vector<int> order;
    std::promise<void> last;
    JobThreads threads(1, 1);
    for (int i = 0; i < 100; ++i) threads.submit(Lane::Quick, [&order, i] { order.push_back(i); });
    threads.submit(Lane::Quick, [&last] { last.set_value(); });
    last.get_future().wait();
    for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(JobThreads, LongJobsDoNotDelayQuickOnes) {
    std::promise<void> release, quick;
    JobThreads threads(1, 1);
    threads.submit(Lane::Long, [&] { release.get_future().wait(); });
    threads.submit(Lane::Quick, [&] { quick.set_value(); });
    quick.get_future().wait();
    release.set_value();
}

TEST(JobThreads, APausedJobLetsTheNextOneRun) {
    PauseGate gate;
    gate.pause();
    std::promise<void> resumed, next;
    JobThreads threads(1, 1);
    threads.submit(Lane::Long, [&] {
        EXPECT_TRUE(gate.pass({}));
        resumed.set_value();
    });
    threads.submit(Lane::Long, [&] { next.set_value(); });
    next.get_future().wait();
    gate.resume();
    resumed.get_future().wait();
}

TEST(JobThreads, DestructionFinishesWhatRunsAndDropsWhatWaits) {
    std::atomic<int> finished{0};
    const auto held = std::make_shared<int>(0);
    {
        std::promise<void> started, release;
        std::jthread opener;
        JobThreads threads(1, 1);
        threads.submit(Lane::Long, [&] {
            started.set_value();
            release.get_future().wait();
            ++finished;
        });
        for (int i = 0; i < 50; ++i) threads.submit(Lane::Long, [held] { ++*held; });
        started.get_future().wait();
        opener = std::jthread([&release] { release.set_value(); });
    }
    EXPECT_EQ(finished, 1);
    EXPECT_EQ(held.use_count(), 1);
}

} // namespace
} // namespace wb::jobs
