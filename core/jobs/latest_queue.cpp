// SPDX-License-Identifier: MIT
#include "core/jobs/latest_queue.h"

#include "core/jobs/stop_wait.h"

#include <algorithm>
#include <utility>

namespace wb::jobs {

LatestQueue::~LatestQueue() {
    m_worker.request_stop(); // no task begins from here on
    requestStop(m_mutex, m_running);
    m_worker.join();
}

void LatestQueue::submit(std::string key, Task task) {
    // What is replaced moves into `task`. It is destroyed, and the running task is stopped, without the lock: both may call back.
    std::stop_source running{std::nostopstate};
    {
        const std::lock_guard lock(m_mutex);
        if (m_runningKey == key) running = m_running;
        const auto waiting = std::ranges::find(m_waiting, key, &Entry::key);
        if (waiting != m_waiting.end()) std::swap(waiting->task, task);
        else m_waiting.push_back({std::move(key), std::move(task)});
    }
    running.request_stop();
    m_wake.notify_one();
}

void LatestQueue::cancel(std::string_view key) {
    Entry dropped;
    std::stop_source running{std::nostopstate};
    {
        const std::lock_guard lock(m_mutex);
        if (m_runningKey == key) running = m_running;
        const auto waiting = std::ranges::find(m_waiting, key, &Entry::key);
        if (waiting != m_waiting.end()) {
            dropped = std::move(*waiting);
            m_waiting.erase(waiting);
        }
    }
    running.request_stop();
}

void LatestQueue::work(const std::stop_token& stop) {
    while (runNext(stop)) {
    }
}

bool LatestQueue::runNext(const std::stop_token& stop) {
    Entry next;
    std::stop_source source;
    {
        std::unique_lock lock(m_mutex);
        if (!waitUnlessStopped(m_wake, lock, stop, [this] { return !m_waiting.empty(); }) || stop.stop_requested()) return false;
        next = std::move(m_waiting.front());
        m_waiting.pop_front();
        m_runningKey = next.key;
        m_running = source;
    }
    next.task(source.get_token());
    const std::lock_guard lock(m_mutex);
    m_running = std::stop_source(std::nostopstate);
    m_runningKey.clear();
    return true;
}

} // namespace wb::jobs
