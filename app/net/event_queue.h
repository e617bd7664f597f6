// SPDX-License-Identifier: MIT
#pragma once

#include "core/net/transport.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <unordered_set>

namespace wb {

// The events on their way from the loop's thread to the one that works. Thread-safe. It counts the bytes that wait, so that bodies
// pause until they are read.
class EventQueue {
public:
    static constexpr std::size_t fullBytes = 16u << 20;
    static constexpr std::size_t lowBytes = fullBytes / 2;

    void begin(net::RequestId request);
    void push(net::Event event); // dropped where the request was aborted

    bool isFull() const;

    // Drops pending and future events of this request; empty answer: nothing was there.
    void drop(net::RequestId request);

    // `becameLow` is called after an event was taken that brought a full queue below lowBytes.
    std::optional<net::Event> take(net::Time until, const std::stop_token& stop, const std::function<void()>& becameLow);

private:
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<net::Event> m_events;
    std::unordered_set<net::RequestId> m_alive;
    std::size_t m_bytes = 0;
    bool m_wasFull = false;
};

} // namespace wb
