// SPDX-License-Identifier: MIT
#include "core/jobs/pause_gate.h"
#include "core/jobs/thread_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace wb::jobs {
namespace {

// Opens once for all who wait.
class Door {
public:
    void open() {
        {
            const std::lock_guard lock(m_mutex);
            m_isOpen = true;
        }
        m_wake.notify_all();
    }
    void wait() {
        std::unique_lock lock(m_mutex);
        m_wake.wait(lock, [this] { return m_isOpen; });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_isOpen = false;
};

TEST(ParallelFor, CallsEveryIndexOnce) {
    for (const unsigned threads : {0u, 1u, 2u, 7u, 64u}) {
        std::vector<std::atomic<int>> calls(1000);
        ASSERT_TRUE(parallelFor(calls.size(), threads, {}, [&](std::uint64_t i) -> Result<void> {
            ++calls[i];
            return {};
        }));
        for (const auto& count : calls) EXPECT_EQ(count, 1);
    }
    EXPECT_TRUE(parallelFor(0, 4, {}, [](std::uint64_t) -> Result<void> { return std::unexpected(canceled()); }));
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
    EXPECT_EQ(result.error().code, ErrorCode::Canceled);
    EXPECT_LT(calls, 20);
}

TEST(ParallelFor, UsesAsManyThreadsAsItIsAskedFor) {
    std::atomic<unsigned> inside{0};
    Door all;
    ASSERT_TRUE(parallelFor(5, 5, {}, [&](std::uint64_t) -> Result<void> {
        if (++inside == 5) all.open(); // only if five threads are inside at once
        all.wait();
        return {};
    }));
    std::set<std::thread::id> threads;
    ASSERT_TRUE(parallelFor(100, 1, {}, [&](std::uint64_t) -> Result<void> {
        threads.insert(std::this_thread::get_id());
        return {};
    }));
    EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
}

// Counts the threads that have ever asked for it; ids of threads that have ended are used again.
struct ThreadMark {
    ThreadMark() { ++threads; }
    static inline std::atomic<unsigned> threads{0};
};
thread_local ThreadMark threadMark;

TEST(ParallelFor, MakesNoThreadsPerCall) {
    for (int call = 0; call < 200; ++call) {
        ASSERT_TRUE(parallelFor(8, 4, {}, [&](std::uint64_t) -> Result<void> {
            static_cast<void>(&threadMark);
            return {};
        }));
    }
    EXPECT_LE(ThreadMark::threads, std::max(machineThreads(), 64u)); // what the widest loop of these tests asked for, kept
}

TEST(ParallelFor, AnIndexHasItsSlotForItself) {
    for (const unsigned threads : {1u, 3u, 8u}) {
        const unsigned width = loopWidth(5000, threads);
        std::vector<std::atomic<int>> users(width);
        std::vector<std::uint64_t> last(width, 0); // without a lock: a slot has one user at a time
        ASSERT_TRUE(parallelFor(5000, threads, {}, [&](std::uint64_t i, unsigned slot) -> Result<void> {
            EXPECT_LT(slot, width);
            EXPECT_EQ(++users[slot], 1);
            EXPECT_GE(i, last[slot]); // ascending
            last[slot] = i;
            --users[slot];
            return {};
        }));
    }
}

TEST(ParallelFor, LoopsInsideALoopEnd) {
    std::atomic<int> calls{0};
    const auto inner = [&](std::uint64_t) -> Result<void> {
        ++calls;
        return {};
    };
    const auto middle = [&](std::uint64_t) { return parallelFor(10, 4, {}, LoopBody(inner)); };
    ASSERT_TRUE(parallelFor(20, 4, {}, [&](std::uint64_t) { return parallelFor(5, 4, {}, LoopBody(middle)); }));
    EXPECT_EQ(calls, 20 * 5 * 10);
}

TEST(ParallelFor, AHelperMovesOnToALoopWithoutOne) {
    Door secondIsHelped, secondIsOpen;
    std::atomic<int> insideSecond{0};
    const auto first = std::async(std::launch::async, [&] {
        return parallelFor(1'000'000, 4, {}, [&](std::uint64_t) -> Result<void> {
            if (insideSecond == 0) secondIsOpen.open(); // helpers are at work here first
            return {};
        });
    });
    secondIsOpen.wait();
    ASSERT_TRUE(parallelFor(2, 2, {}, [&](std::uint64_t) -> Result<void> {
        if (++insideSecond == 2) secondIsHelped.open(); // the caller alone would wait for ever
        secondIsHelped.wait();
        return {};
    }));
    first.wait();
}

TEST(ParallelFor, ManyLoopsAtOnceAllEnd) {
    std::atomic<int> calls{0};
    {
        std::vector<std::jthread> callers;
        for (int t = 0; t < 6; ++t)
            callers.emplace_back([&] {
                for (int round = 0; round < 50; ++round)
                    EXPECT_TRUE(parallelFor(40, 4, {}, [&](std::uint64_t) -> Result<void> {
                        ++calls;
                        return {};
                    }));
            });
    }
    EXPECT_EQ(calls, 6 * 50 * 40);
}

// A helper that woke for a loop may find that its last index was taken just then.
TEST(ParallelFor, LoopsThatEndWhileHelpersWakeAllEnd) {
    std::atomic<std::uint64_t> calls{0};
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 4; ++caller)
        callers.emplace_back([&calls] {
            for (int i = 0; i < 30'000; ++i)
                EXPECT_TRUE(parallelFor(3, 4, {}, [&calls](std::uint64_t) -> Result<void> {
                    ++calls;
                    return {};
                }));
        });
    callers.clear();
    EXPECT_EQ(calls, 360'000u);
}

TEST(ParallelFor, APausedLoopGivesItsHelpersBack) {
    PauseGate gate;
    const Progress progress = gate.guard({});
    std::atomic<int> passed{0};
    Door paused;
    auto held = std::async(std::launch::async, [&] {
        return parallelFor(1000, 4, {}, [&](std::uint64_t i) -> Result<void> {
            if (i == 100) {
                gate.pause();
                paused.open();
            }
            WB_TRY(progress.at(i, 1000));
            ++passed;
            return {};
        });
    });
    paused.wait();
    std::atomic<int> inside{0};
    Door all;
    // Four threads are inside at once although the paused loop is not over.
    EXPECT_TRUE(parallelFor(4, 4, {}, [&](std::uint64_t) -> Result<void> {
        if (++inside == 4) all.open();
        all.wait();
        return {};
    }));
    EXPECT_LT(passed, 1000);
    gate.resume();
    EXPECT_TRUE(held.get());
    EXPECT_EQ(passed, 1000);
}

TEST(ParallelFor, APausedLoopCanBeStopped) {
    PauseGate gate;
    std::stop_source source;
    const Progress progress = gate.guard({source.get_token(), {}});
    Door paused;
    auto held = std::async(std::launch::async, [&] {
        return parallelFor(1000, 4, source.get_token(), [&](std::uint64_t i) -> Result<void> {
            if (i == 100) {
                gate.pause();
                paused.open();
            }
            return progress.at(i, 1000);
        });
    });
    paused.wait();
    source.request_stop();
    EXPECT_EQ(held.get().error().code, ErrorCode::Canceled);
}

} // namespace
} // namespace wb::jobs
