// SPDX-License-Identifier: MIT
#include "core/chat/event_queue.h"

#include "core/jobs/stop_wait.h"

namespace wb::chat {

void EventQueue::push(Event event, const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    if (std::holds_alternative<TextDelta>(event))
        jobs::waitUnlessStopped(m_changed, lock, stop, [this] { return m_textBytes < maxTextBytes; });
    append(std::move(event));
    lock.unlock();
    m_changed.notify_all();
}

void EventQueue::append(Event event) {
    const bool isProgress = std::holds_alternative<LoadProgress>(event) || std::holds_alternative<PromptProgress>(event);
    const bool isSameKind = !m_events.empty() && m_events.back().index() == event.index();
    if (auto* text = std::get_if<TextDelta>(&event)) {
        m_textBytes += text->text.size();
        if (isSameKind) {
            auto& last = std::get<TextDelta>(m_events.back());
            last.text += text->text;
            last.contextUsed = text->contextUsed;
            return;
        }
    }
    if (isProgress && isSameKind) m_events.back() = std::move(event);
    else m_events.push_back(std::move(event));
}

std::vector<Event> EventQueue::takeLocked() {
    m_textBytes = 0;
    return std::exchange(m_events, {});
}

std::vector<Event> EventQueue::take() {
    std::vector<Event> events;
    {
        const std::scoped_lock lock(m_mutex);
        events = takeLocked();
    }
    m_changed.notify_all();
    return events;
}

std::vector<Event> EventQueue::wait() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return !m_events.empty(); });
    std::vector<Event> events = takeLocked();
    lock.unlock();
    m_changed.notify_all();
    return events;
}

} // namespace wb::chat
