// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

namespace wb::jobs {

// One worker thread for work whose latest request is the only one that matters: a view that asks again for another tensor does not
// wait for the answer to its last question. Every request has a key (who asks); a new one replaces the waiting one with the same
// key, in its place in the row, and asks the running one with the same key to stop. Other keys are served in order.
//
// Thread-safe. Destruction drops what waits, stops what runs and waits for it; it must not happen inside a task.
class LatestQueue {
public:
    using Task = std::function<void(const std::stop_token&)>;

    LatestQueue() = default;
    ~LatestQueue();
    LatestQueue(const LatestQueue&) = delete;
    LatestQueue& operator=(const LatestQueue&) = delete;

    // The task must not throw. A task that is dropped is destroyed without having run.
    void submit(std::string key, Task task);

    // Drops the waiting task with this key and asks the running one to stop; does not wait for it.
    void cancel(std::string_view key);

private:
    struct Entry {
        std::string key;
        Task task;
    };

    void work(const std::stop_token& stop);
    bool runNext(const std::stop_token& stop);

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Entry> m_waiting;
    std::string m_runningKey;
    std::stop_source m_running{std::nostopstate};
    std::jthread m_worker{[this](const std::stop_token& stop) { work(stop); }}; // last: starts when all else is there
};

} // namespace wb::jobs
