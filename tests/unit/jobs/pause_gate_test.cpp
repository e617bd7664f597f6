// SPDX-License-Identifier: MIT
#include "core/jobs/pause_gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

namespace wb::jobs {
namespace {

TEST(PauseGate, IsOpenAtFirst) {
    PauseGate gate;
    EXPECT_FALSE(gate.isPaused());
    EXPECT_TRUE(gate.pass({}));
}

TEST(PauseGate, HoldsWorkUntilItIsResumed) {
    PauseGate gate;
    gate.pause();
    std::atomic<bool> passed{false};
    std::promise<void> reached;
    std::jthread worker([&] {
        reached.set_value();
        EXPECT_TRUE(gate.pass({}));
        passed = true;
    });
    reached.get_future().wait();
    EXPECT_TRUE(gate.isPaused());
    EXPECT_FALSE(passed);
    gate.resume();
    worker.join();
    EXPECT_TRUE(passed);
}

TEST(PauseGate, LetsAStopThrough) {
    PauseGate gate;
    gate.pause();
    std::stop_source source;
    auto result = std::async(std::launch::async, [&] { return gate.pass(source.get_token()); });
    source.request_stop();
    EXPECT_EQ(result.get().error().code, ErrorCode::Canceled);
}

TEST(PauseGate, GuardsAProgress) {
    PauseGate gate;
    std::stop_source source;
    std::promise<void> reported;
    const Progress progress = gate.guard({source.get_token(), [&](std::uint64_t, std::uint64_t) { reported.set_value(); }});
    gate.pause();
    auto result = std::async(std::launch::async, [&] {
        const auto first = progress.at(1, 2);
        return first ? progress.at(2, 2) : first;
    });
    reported.get_future().wait(); // the figures of a paused job are shown
    source.request_stop();
    EXPECT_EQ(result.get().error().code, ErrorCode::Canceled);
}

} // namespace
} // namespace wb::jobs
