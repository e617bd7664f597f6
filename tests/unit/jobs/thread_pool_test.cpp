// SPDX-License-Identifier: MIT
#include "core/jobs/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>

namespace wb::jobs {
namespace {

TEST(ThreadPool, RunsEveryTaskOnce) {
    std::atomic<int> runs{0};
    std::promise<void> all;
    {
        ThreadPool pool(4);
        EXPECT_EQ(pool.size(), 4u);
        for (int i = 0; i < 1000; ++i)
            pool.submit([&] {
                if (++runs == 1000) all.set_value();
            });
        all.get_future().wait();
    }
    EXPECT_EQ(runs, 1000);
}

TEST(ThreadPool, OneThreadKeepsTheOrder) {
    std::vector<int> order;
    std::promise<void> last;
    ThreadPool pool(1);
    for (int i = 0; i < 100; ++i) pool.submit([&order, i] { order.push_back(i); });
    pool.submit([&last] { last.set_value(); });
    last.get_future().wait();
    for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(ThreadPool, DestructionFinishesWhatRunsAndDropsWhatWaits) {
    std::atomic<int> finished{0};
    const auto held = std::make_shared<int>(0);
    {
        std::promise<void> started;
        std::promise<void> release;
        std::jthread opener;
        ThreadPool pool(1);
        pool.submit([&] {
            started.set_value();
            release.get_future().wait();
            ++finished;
        });
        for (int i = 0; i < 50; ++i) pool.submit([held] { ++*held; });
        started.get_future().wait();
        opener = std::jthread([&release] { release.set_value(); });
    }
    EXPECT_EQ(finished, 1);
    EXPECT_EQ(held.use_count(), 1);
}

TEST(ParallelFor, CallsEveryIndexOnce) {
    for (const unsigned threads : {0u, 1u, 2u, 7u, 64u}) {
        std::vector<std::atomic<int>> calls(1000);
        ASSERT_TRUE(parallelFor(calls.size(), threads, {}, [&](std::uint64_t i) -> Result<void> {
            ++calls[i];
            return {};
        }));
        for (const auto& count : calls) EXPECT_EQ(count, 1);
    }
    EXPECT_TRUE(parallelFor(0, 4, {}, [](std::uint64_t) -> Result<void> { return std::unexpected(cancelled()); }));
}

TEST(ParallelFor, ReturnsTheFirstErrorByIndexAndBeginsNoMore) {
    std::atomic<int> calls{0};
    const auto result = parallelFor(1'000'000, 4, {}, [&](std::uint64_t i) -> Result<void> {
        ++calls;
        if (i >= 100) return fail(ErrorCode::Invalid, WB_TEXT("{}"), i);
        return {};
    });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message(), "100"); // the indices before it have begun and end well, whoever is first
    EXPECT_LT(calls, 200);
}

TEST(ParallelFor, MissingMemoryIsAnError) {
    for (const unsigned threads : {1u, 4u}) {
        const auto result = parallelFor(100, threads, {}, [&](std::uint64_t i) -> Result<void> {
            if (i % 10 == 9) throw std::bad_alloc();
            return {};
        });
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().message(), outOfMemory().message());
    }
}

TEST(ParallelFor, EndsWhenItIsStopped) {
    std::stop_source source;
    std::atomic<int> calls{0};
    const auto result = parallelFor(1'000'000, 4, source.get_token(), [&](std::uint64_t) -> Result<void> {
        if (++calls == 10) source.request_stop();
        return {};
    });
    EXPECT_EQ(result.error().code, ErrorCode::Cancelled);
    EXPECT_LT(calls, 20);
}

} // namespace
} // namespace wb::jobs
