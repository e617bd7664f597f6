// SPDX-License-Identifier: MIT
#include "tests/unit/support/fake_network.h"

#include <algorithm>
#include <span>

namespace wb::test {

net::Time FakeClock::now() const {
    const std::lock_guard lock(m_mutex);
    return m_now;
}

std::int64_t FakeClock::unixNow() const {
    return 1'790'000'000 + std::chrono::duration_cast<std::chrono::seconds>(now().time_since_epoch()).count();
}

void FakeClock::advanceTo(net::Time time) {
    const std::lock_guard lock(m_mutex);
    m_now = std::max(m_now, time);
}

// Events of all requests take turns, as those of several connections do.
class FakeSession : public net::NetworkSession {
public:
    explicit FakeSession(FakeTransport& transport) : m_transport(transport) {}

    net::RequestId start(net::Request request) override {
        const FakeAnswer answer = m_transport.m_answer(request);
        m_transport.m_requests.push_back(std::move(request));
        const net::RequestId id = ++m_transport.m_lastId;
        if (answer.isSilent) return id;
        auto& events = m_events[id];
        if (answer.status != 0) events.push_back({id, net::Head{answer.status, answer.headers}});
        for (std::size_t at = 0; at < answer.body.size(); at += m_transport.pieceBytes) {
            const std::string piece = answer.body.substr(at, m_transport.pieceBytes);
            const auto bytes = std::as_bytes(std::span(piece));
            events.push_back({id, net::Body(bytes.begin(), bytes.end())});
        }
        events.push_back({id, net::Event::End{answer.failure}});
        return id;
    }

    void abort(net::RequestId request) override { m_events.erase(request); }

    std::optional<net::Event> next(net::Time until, const std::stop_token& stop) override {
        if (stop.stop_requested()) return std::nullopt;
        auto at = m_events.upper_bound(m_lastServed);
        if (at == m_events.end()) at = m_events.begin();
        if (at == m_events.end()) {
            m_transport.m_clock.advanceTo(until);
            return std::nullopt;
        }
        m_lastServed = at->first;
        net::Event event = std::move(at->second.front());
        at->second.pop_front();
        if (at->second.empty()) m_events.erase(at);
        if (std::holds_alternative<net::Body>(event.what))
            m_transport.m_clock.advanceTo(m_transport.m_clock.now() + m_transport.betweenPieces);
        return event;
    }

private:
    FakeTransport& m_transport;
    std::map<net::RequestId, std::deque<net::Event>> m_events;
    net::RequestId m_lastServed = 0;
};

std::unique_ptr<net::NetworkSession> FakeTransport::open() { return std::make_unique<FakeSession>(*this); }

} // namespace wb::test
