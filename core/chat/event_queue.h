// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/event.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

namespace wb::chat {

// The events of one request, from the thread of a Completer to one reader. Bounded: text waits for the reader, so that a model
// never runs far ahead of it, and progress replaces progress that was not read.
class EventQueue {
public:
    // Text that waits at once. 30 reads per second still pass 15 KB/s.
    static constexpr std::size_t maxTextBytes = 512;

    // Adds an event; for text, once there is space or a stop is requested.
    void push(Event event, const std::stop_token& stop);

    // The events since the last call, in order; does not wait.
    std::vector<Event> take();

    // Waits until there is one.
    std::vector<Event> wait();

private:
    void append(Event event);
    std::vector<Event> takeLocked();

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<Event> m_events;
    std::size_t m_textBytes = 0;
};

using EventSink = std::shared_ptr<EventQueue>;

} // namespace wb::chat
