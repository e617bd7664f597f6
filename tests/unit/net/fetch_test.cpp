// SPDX-License-Identifier: MIT
#include "core/net/fetch.h"

#include "tests/unit/support/fake_network.h"

#include <gtest/gtest.h>

#include <set>

namespace wb::net {
namespace {

using test::FakeAnswer;
using test::FakeTransport;

std::expected<Answer, Failure> ask(FakeTransport& transport, const FetchLimits& limits = {}, const std::stop_token& stop = {}) {
    const auto session = transport.open();
    Request request;
    request.url = *parseUrl("https://hub/x");
    return fetch(*session, transport.clock(), request, limits, stop);
}

TEST(Fetch, GathersTheBody) {
    FakeTransport transport([](const Request&) { return FakeAnswer{.body = std::string(200'000, 'a')}; });
    const auto answer = ask(transport);
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->isSuccess());
    EXPECT_EQ(answer->body, std::string(200'000, 'a'));
}

TEST(Fetch, RefusesABodyThatIsTooLarge) {
    FakeTransport transport([](const Request&) { return FakeAnswer{.body = std::string(200'000, 'a')}; });
    FetchLimits limits;
    limits.bodyBytes = 100'000;
    const auto answer = ask(transport, limits);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, FailureKind::Protocol);
}

TEST(Fetch, DoesNotWaitForEver) {
    FakeTransport transport([](const Request&) { return FakeAnswer{.isSilent = true}; });
    const Time begin = transport.clock().now();
    const auto answer = ask(transport);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, FailureKind::Timeout);
    EXPECT_EQ(transport.clock().now() - begin, FetchLimits().firstByte);
}

// One byte at a time for ever: no stall, and yet no answer.
TEST(Fetch, GivesUpAServerThatSendsNextToNothing) {
    FakeTransport transport([](const Request&) { return FakeAnswer{.body = std::string(1'000'000, 'a')}; });
    transport.pieceBytes = 1;
    transport.betweenPieces = std::chrono::seconds(1);
    const Time begin = transport.clock().now();
    const auto answer = ask(transport);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, FailureKind::TooSlow);
    EXPECT_LE(transport.clock().now() - begin, std::chrono::seconds(25));
}

TEST(Fetch, TakesSlowHonestLines) {
    FakeTransport transport([](const Request&) { return FakeAnswer{.body = std::string(20'000, 'a')}; });
    transport.pieceBytes = 150;
    transport.betweenPieces = std::chrono::seconds(1);
    const auto answer = ask(transport);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->body.size(), 20'000u);
}

TEST(Fetch, PassesFailuresOn) {
    FakeTransport transport([](const Request&) { return FakeAnswer{.body = "half", .failure = Failure{FailureKind::Reset, {}}}; });
    const auto answer = ask(transport);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, FailureKind::Reset);
}

TEST(Fetch, IsStopped) {
    FakeTransport transport([](const Request&) { return FakeAnswer{}; });
    std::stop_source stop;
    stop.request_stop();
    const auto answer = ask(transport, {}, stop.get_token());
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, FailureKind::Canceled);
}

TEST(Failures, HaveASentenceEach) {
    std::set<std::string> sentences;
    for (const auto kind : {FailureKind::Resolve, FailureKind::Connect, FailureKind::Tls, FailureKind::Proxy, FailureKind::Timeout,
                            FailureKind::TooSlow, FailureKind::Reset, FailureKind::Protocol, FailureKind::Canceled}) {
        const Error error = failureError({kind, "token=abc"}, "hub");
        sentences.insert(error.message());
        EXPECT_EQ(error.detail.find("abc"), std::string::npos);
    }
    EXPECT_EQ(sentences.size(), 9u);
}

} // namespace
} // namespace wb::net
