// SPDX-License-Identifier: MIT
#include "core/jobs/stop_wait.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>
#include <vector>

namespace wb::jobs {
namespace {

class StopWait : public testing::Test {
protected:
    // What a waiting thread returns.
    std::future<bool> wait() {
        return std::async(std::launch::async, [this, stop = source.get_token()] {
            std::unique_lock lock(mutex);
            const bool result = waitUnlessStopped(wake, lock, stop, [this] { return holds; });
            EXPECT_TRUE(lock.owns_lock());
            return result;
        });
    }

    void set() {
        {
            const std::lock_guard lock(mutex);
            holds = true;
        }
        wake.notify_all();
    }

    std::mutex mutex;
    std::condition_variable wake;
    std::stop_source source;
    bool holds = false;
};

TEST_F(StopWait, ReturnsAtOnceWhereItHoldsOrAStopWasRequested) {
    source.request_stop();
    EXPECT_FALSE(wait().get());
    holds = true;
    EXPECT_TRUE(wait().get());
}

TEST_F(StopWait, EndsWithTheCondition) {
    auto first = wait(), second = wait();
    set();
    EXPECT_TRUE(first.get());
    EXPECT_TRUE(second.get());
}

// The stop comes before, while or after the waiting begins.
TEST_F(StopWait, EndsWithEveryStop) {
    for (int i = 0; i < 300; ++i) {
        source = {};
        auto first = wait(), second = wait();
        if (i % 3 == 1) std::this_thread::yield();
        if (i % 3 == 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        source.request_stop();
        EXPECT_FALSE(first.get());
        EXPECT_FALSE(second.get());
    }
}

TEST_F(StopWait, EndsAtItsTime) {
    std::unique_lock lock(mutex);
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(30);
    EXPECT_FALSE(waitUnlessStopped(wake, lock, source.get_token(), until, [] { return false; }));
    EXPECT_GE(std::chrono::steady_clock::now(), until);
    EXPECT_TRUE(lock.owns_lock());
}

// A condition that is false again before the waiter wakes is not reported.
TEST_F(StopWait, AnswersWithTheLockHeld) {
    int left = 0, taken = 0;
    const auto take = [&] {
        std::unique_lock lock(mutex);
        if (!waitUnlessStopped(wake, lock, source.get_token(), [&] { return left > 0; })) return;
        ASSERT_GT(left, 0);
        --left;
        ++taken;
    };
    std::vector<std::jthread> takers;
    for (int i = 0; i < 8; ++i) takers.emplace_back(take);
    for (int i = 0; i < 4; ++i) {
        const std::lock_guard lock(mutex);
        ++left;
        wake.notify_all();
    }
    while (true) {
        const std::lock_guard lock(mutex);
        if (taken == 4) break;
    }
    source.request_stop();
    takers.clear();
    EXPECT_EQ(taken, 4);
    EXPECT_EQ(left, 0);
}

} // namespace
} // namespace wb::jobs
