// SPDX-License-Identifier: MIT
#ifndef _WIN32
#include "core/worker/serve.h"
#include "core/worker/wire.h"
#include "tests/unit/support/support.h"
#include "tests/unit/worker/child/tasks.h"

#include <gtest/gtest.h>

#include <functional>
#include <sys/socket.h>
#include <thread>

// Both sides of the protocol without a process: a child of this program's own making answers.
namespace wb::worker {
namespace {

struct Pair {
    int parent;
    int child;
};

Pair makePair() {
    int sockets[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    return {sockets[0], sockets[1]};
}

// What the parent makes of a child that does `misbehave`.
Result<std::vector<std::byte>> against(const std::function<void(Channel&)>& misbehave, Request request = {"echo", "model.pt"}) {
    const auto [parent, child] = makePair();
    Channel channel(parent, parent);
    const std::jthread other([&misbehave, child = child] {
        Channel mine(child, child);
        Message task;
        if (mine.receive(task) == Channel::Outcome::Got) misbehave(mine);
    });
    return converse(channel, request, {}, [] { return false; });
}

std::vector<std::byte> read(std::uint32_t source, std::uint64_t offset, std::uint32_t length) {
    WireWriter out;
    out.u32(source);
    out.u64(offset);
    out.u32(length);
    return out.take();
}

Request withSource() {
    Request request{"echo", "model.pt"};
    request.sources = {std::make_shared<io::MemorySource>("a", test::toBytes("0123456789"))};
    return request;
}

TEST(WorkerProtocol, ServesTasks) {
    const auto [parent, child] = makePair();
    Channel channel(parent, parent);
    const std::jthread other([child = child] {
        Channel mine(child, child);
        EXPECT_TRUE(serveOne(mine, test::childTasks()));
    });
    const auto reply = converse(channel, {"echo", "model.pt", test::toBytes("hello")}, {}, [] { return false; });
    ASSERT_TRUE(reply);
    EXPECT_EQ(*reply, test::toBytes("hello"));
}

TEST(WorkerProtocol, RefusesATaskThatNobodyKnows) {
    const auto [parent, child] = makePair();
    Channel channel(parent, parent);
    const std::jthread other([child = child] {
        Channel mine(child, child);
        EXPECT_TRUE(serveOne(mine, test::childTasks()));
    });
    EXPECT_EQ(converse(channel, {"unheard", "model.pt"}, {}, [] { return false; }).error().reason, Reason("worker.no_task"));
}

TEST(WorkerProtocol, ReadsOnlyWhatItGave) {
    const auto isGarbled = [](const std::vector<std::byte>& message) {
        const auto reply = against([&](Channel& child) { (void)child.send(MessageKind::Read, message); }, withSource());
        return !reply && reply.error().reason == Reason("worker.garbled");
    };
    EXPECT_TRUE(isGarbled(read(1, 0, 1)));
    EXPECT_TRUE(isGarbled(read(0, 5, 6)));
    EXPECT_TRUE(isGarbled(read(0, ~0ull, 2)));
    EXPECT_TRUE(isGarbled(read(0, 0, maxRead + 1)));
    EXPECT_TRUE(isGarbled(test::toBytes("short")));
}

TEST(WorkerProtocol, GivesTheBytesThatItMayRead) {
    const auto reply = against(
        [](Channel& child) {
            Message bytes;
            if (!child.send(MessageKind::Read, read(0, 3, 4)) || child.receive(bytes) != Channel::Outcome::Got) return;
            (void)child.send(MessageKind::Reply, bytes.content);
            (void)child.send(MessageKind::Done, {});
        },
        withSource());
    ASSERT_TRUE(reply);
    EXPECT_EQ(*reply, test::toBytes("3456"));
}

TEST(WorkerProtocol, KeepsTheLongestReply) {
    Request request{"echo", "model.pt"};
    request.maxReply = 10;
    const auto reply = against([](Channel& child) { (void)child.send(MessageKind::Reply, test::toBytes("01234567890")); }, request);
    EXPECT_EQ(reply.error().reason, Reason("worker.garbled"));
}

TEST(WorkerProtocol, SaysWhatMakesNoSense) {
    const auto reasonOf = [](const std::function<void(Channel&)>& misbehave) { return against(misbehave).error().reason; };
    EXPECT_EQ(reasonOf([](Channel&) {}), Reason("worker.died"));
    EXPECT_EQ(reasonOf([](Channel& child) { (void)child.send(MessageKind::Task, {}); }), Reason("worker.garbled"));
    EXPECT_EQ(reasonOf([](Channel& child) { (void)child.send(MessageKind::Count, {}); }), Reason("worker.garbled"));
    EXPECT_EQ(reasonOf([](Channel& child) { (void)child.send(MessageKind::Progress, test::toBytes("1")); }),
              Reason("worker.garbled"));
    EXPECT_EQ(reasonOf([](Channel& child) { (void)child.send(MessageKind::Failed, test::toBytes("1")); }),
              Reason("worker.garbled"));
}

} // namespace
} // namespace wb::worker
#endif
