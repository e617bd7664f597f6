// SPDX-License-Identifier: MIT
#pragma once

#include "core/net/transport.h"

#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace wb::test {

// A clock that stands still unless it is moved.
class FakeClock : public net::Clock {
public:
    net::Time now() const override;
    std::int64_t unixNow() const override;
    void advanceTo(net::Time time);

private:
    mutable std::mutex m_mutex;
    net::Time m_now{std::chrono::hours(1)};
};

struct FakeAnswer {
    int status = 200;
    net::Headers headers = {};
    std::string body = {};
    std::optional<net::Failure> failure = {}; // ends the body early
    bool isSilent = false;                    // never comes
};

// A network that is one function. A session that waits for nothing moves the clock to where it waits to, so no test sleeps.
class FakeTransport : public net::Transport {
public:
    explicit FakeTransport(std::function<FakeAnswer(const net::Request&)> answer) : m_answer(std::move(answer)) {}

    std::unique_ptr<net::NetworkSession> open() override;

    FakeClock& clock() { return m_clock; }
    const std::vector<net::Request>& requests() const { return m_requests; } // all of them, in order
    std::size_t pieceBytes = 64 << 10;                                       // of a body, an event
    net::Duration betweenPieces = {};                                        // before each of them

private:
    friend class FakeSession;
    std::function<FakeAnswer(const net::Request&)> m_answer;
    FakeClock m_clock;
    std::vector<net::Request> m_requests;
    net::RequestId m_lastId = 0;
};

} // namespace wb::test
