// SPDX-License-Identifier: MIT
#include "core/jobs/latest_queue.h"

#include "core/jobs/stop_wait.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <vector>

namespace wb::jobs {
namespace {

// Waits for the stop without a clock.
void waitFor(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable changed;
    std::unique_lock lock(mutex);
    waitUnlessStopped(changed, lock, stop, [] { return false; });
}

// A task that says when it has begun and runs until it is asked to stop.
struct Endless {
    std::promise<void> begun;
    std::atomic<bool> ended{false};

    LatestQueue::Task task() {
        return [this](const std::stop_token& stop) {
            begun.set_value();
            waitFor(stop);
            ended = true;
        };
    }
};

void finish(LatestQueue& queue) {
    std::promise<void> last;
    queue.submit("finish", [&last](const std::stop_token&) { last.set_value(); });
    last.get_future().wait();
}

TEST(LatestQueue, ANewRequestStopsTheRunningOneWithItsKey) {
    Endless first;
    LatestQueue queue;
    queue.submit("view", first.task());
    first.begun.get_future().wait();
    bool stoppedAtStart = true;
    queue.submit("view", [&](const std::stop_token& stop) { stoppedAtStart = stop.stop_requested(); });
    finish(queue);
    EXPECT_TRUE(first.ended);
    EXPECT_FALSE(stoppedAtStart);
}

TEST(LatestQueue, ANewRequestReplacesTheWaitingOneInItsPlace) {
    Endless blocker;
    std::vector<std::string> ran;
    LatestQueue queue;
    queue.submit("blocker", blocker.task());
    blocker.begun.get_future().wait();
    const auto note = [&ran](const char* text) { return [&ran, text](const std::stop_token&) { ran.push_back(text); }; };
    queue.submit("a", note("a1"));
    queue.submit("b", note("b1"));
    queue.submit("a", note("a2"));
    EXPECT_FALSE(blocker.ended); // other keys do not stop it
    queue.cancel("blocker");
    finish(queue);
    EXPECT_EQ(ran, (std::vector<std::string>{"a2", "b1"}));
}

TEST(LatestQueue, CancelDropsAndStops) {
    Endless running;
    std::atomic<bool> ran{false};
    LatestQueue queue;
    queue.submit("view", running.task());
    running.begun.get_future().wait();
    queue.submit("other", [&ran](const std::stop_token&) { ran = true; });
    queue.cancel("other");
    queue.cancel("nobody");
    queue.cancel("view");
    finish(queue);
    EXPECT_TRUE(running.ended);
    EXPECT_FALSE(ran);
}

TEST(LatestQueue, DestructionStopsWhatRunsAndDropsWhatWaits) {
    Endless running;
    const auto held = std::make_shared<int>(0);
    {
        LatestQueue queue;
        queue.submit("view", running.task());
        running.begun.get_future().wait();
        queue.submit("other", [held](const std::stop_token&) { ++*held; });
    }
    EXPECT_TRUE(running.ended);
    EXPECT_EQ(*held, 0);
    EXPECT_EQ(held.use_count(), 1);
}

TEST(LatestQueue, AThousandRequestsEndWithTheLast) {
    std::atomic<int> latest{-1};
    std::atomic<int> runs{0};
    LatestQueue queue;
    for (int i = 0; i < 1000; ++i)
        queue.submit("view", [&, i](const std::stop_token&) {
            latest = i;
            ++runs;
        });
    finish(queue);
    EXPECT_EQ(latest, 999);
    EXPECT_GE(runs, 1);
}

TEST(LatestQueue, SeveralThreadsMaySubmitAndCancel) {
    std::atomic<int> runs{0};
    LatestQueue queue;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, key = std::to_string(t % 2)] {
                for (int i = 0; i < 1000; ++i) {
                    queue.submit(key, [&runs](const std::stop_token&) { ++runs; });
                    if (i % 7 == 0) queue.cancel(key);
                }
            });
    }
    finish(queue);
    EXPECT_LE(runs, 4000);
}

TEST(LatestQueue, ATaskMayAskAgain) {
    std::promise<void> second;
    LatestQueue queue;
    queue.submit("view",
                 [&](const std::stop_token&) { queue.submit("view", [&](const std::stop_token&) { second.set_value(); }); });
    second.get_future().wait();
}

} // namespace
} // namespace wb::jobs
