// SPDX-License-Identifier: MIT
#include "app/net/event_queue.h"

#include "core/jobs/stop_wait.h"

namespace wb {
namespace {

std::size_t eventBytes(const net::Event& event) {
    const auto* body = std::get_if<net::Body>(&event.what);
    return body ? body->size() : 0;
}

} // namespace

void EventQueue::begin(net::RequestId request) {
    const std::lock_guard lock(m_mutex);
    m_alive.insert(request);
}

void EventQueue::push(net::Event event) {
    {
        const std::lock_guard lock(m_mutex);
        if (!m_alive.contains(event.request)) return;
        if (std::holds_alternative<net::Event::End>(event.what)) m_alive.erase(event.request);
        m_bytes += eventBytes(event);
        m_wasFull = m_wasFull || m_bytes >= fullBytes;
        m_events.push_back(std::move(event));
    }
    m_wake.notify_one();
}

bool EventQueue::isFull() const {
    const std::lock_guard lock(m_mutex);
    return m_bytes >= fullBytes;
}

void EventQueue::drop(net::RequestId request) {
    const std::lock_guard lock(m_mutex);
    m_alive.erase(request);
    std::erase_if(m_events, [&](const net::Event& event) {
        if (event.request != request) return false;
        m_bytes -= eventBytes(event);
        return true;
    });
}

std::optional<net::Event> EventQueue::take(net::Time until, const std::stop_token& stop, const std::function<void()>& becameLow) {
    std::unique_lock lock(m_mutex);
    const auto hasEvent = [this] { return !m_events.empty(); };
    if (!jobs::waitUnlessStopped(m_wake, lock, stop, until, hasEvent) || stop.stop_requested()) return std::nullopt;
    net::Event event = std::move(m_events.front());
    m_events.pop_front();
    m_bytes -= eventBytes(event);
    const bool isLow = m_wasFull && m_bytes < lowBytes;
    if (isLow) m_wasFull = false;
    lock.unlock();
    if (isLow) becameLow();
    return event;
}

} // namespace wb
