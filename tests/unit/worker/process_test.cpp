// SPDX-License-Identifier: MIT
#include "core/worker/wire.h"
#include "core/worker/worker.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

// The worker as a real process, with its sandbox.
namespace wb::worker {
namespace {

class WorkerProcess : public testing::Test {
protected:
    void SetUp() override { setProgram(WB_WORKER_CHILD); }
    void TearDown() override { setProgram({}); }

    static Result<std::vector<std::byte>> ask(const char* task, std::string_view request = {}, const Progress& progress = {}) {
        return run({task, "model.pt", test::toBytes(request)}, progress);
    }
};

TEST_F(WorkerProcess, RepliesAsLongAsItMust) {
    const std::string request(5 << 20, 'x');
    const auto reply = ask("echo", request);
    ASSERT_TRUE(reply) << reply.error().message();
    EXPECT_EQ(*reply, test::toBytes(request));
}

TEST_F(WorkerProcess, ReadsThroughItsParent) {
    Request request{"sum", "model.pt"};
    request.sources = {std::make_shared<io::MemorySource>("a", std::vector<std::byte>(9 << 20, std::byte{1})),
                       std::make_shared<io::MemorySource>("b", std::vector<std::byte>(3, std::byte{2}))};
    const auto reply = run(request, {});
    ASSERT_TRUE(reply) << reply.error().message();
    EXPECT_EQ(WireReader(*reply).u64(), (9u << 20) + 6);
}

TEST_F(WorkerProcess, BringsErrorsBackAsTheyWere) {
    const Error error = ask("fail").error();
    EXPECT_EQ(error.code, ErrorCode::TooLarge);
    EXPECT_EQ(error.reason, Reason("test.refused"));
    EXPECT_EQ(error.subject, "model.pt");
    EXPECT_EQ(error.message(), "model.pt has 7 things.");
}

TEST_F(WorkerProcess, ReportsProgress) {
    std::uint64_t last = 0;
    Progress progress;
    progress.report = [&](std::uint64_t done, std::uint64_t) { last = done; };
    ASSERT_TRUE(ask("progress", {}, progress));
    EXPECT_EQ(last, 100);
}

TEST_F(WorkerProcess, SaysThatItDied) {
    const Error error = ask("crash").error();
    EXPECT_EQ(error.reason, Reason("worker.died"));
    EXPECT_NE(error.message().find("model.pt"), std::string::npos);
}

TEST_F(WorkerProcess, IsEndedWhenItIsCanceled) {
    std::stop_source stop;
    Progress progress;
    progress.stop = stop.get_token();
    const std::jthread canceler([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop.request_stop();
    });
    EXPECT_EQ(ask("hang", {}, progress).error().code, ErrorCode::Canceled);
}

TEST_F(WorkerProcess, KeepsItsMemoryLimit) {
    const auto reply = ask("memory");
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().message(), outOfMemory().message());
}

#if defined(__linux__) || defined(_WIN32)
class Forbidden : public WorkerProcess, public testing::WithParamInterface<const char*> {};

TEST_P(Forbidden, EndsTheProcessOrFails) {
    const auto reply = ask(GetParam());
    if (reply) {
        EXPECT_EQ(*reply, std::vector{std::byte{0}});
    } else {
        EXPECT_EQ(reply.error().reason, Reason("worker.died"));
    }
}

#ifdef _WIN32
constexpr const char* forbidden[] = {"exec", "write", "privileges"};
#else
constexpr const char* forbidden[] = {"exec", "write", "open", "connect", "fork", "execute"};
#endif
INSTANTIATE_TEST_SUITE_P(All, Forbidden, testing::ValuesIn(forbidden), [](const auto& task) { return std::string(task.param); });
#endif

TEST_F(WorkerProcess, SaysThatItCannotBeStarted) {
    setProgram("/absent/wb");
    EXPECT_EQ(ask("echo").error().reason, Reason("worker.not_started"));
}

#ifndef _WIN32
TEST_F(WorkerProcess, SaysThatAnotherProgramIsNoWorker) {
    setProgram("/bin/true");
    EXPECT_EQ(ask("echo").error().reason, Reason("worker.died"));
}
#endif

} // namespace
} // namespace wb::worker
