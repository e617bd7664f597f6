// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace wb::jobs {

// A fixed set of worker threads and one queue. Destruction finishes what runs and drops what waits.
class ThreadPool {
public:
    explicit ThreadPool(unsigned threads = 0); // 0: as many as the machine has
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    unsigned size() const { return static_cast<unsigned>(m_workers.size()); }

    // Runs `task` on some worker, in order of submission. Thread-safe. The task must not throw.
    void submit(std::function<void()> task);

private:
    void work(std::stop_token stop);

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::deque<std::function<void()>> m_queue;
    std::vector<std::jthread> m_workers;
};

// Calls body(0) … body(count-1), each once, on the calling thread and up to `threads` - 1 further ones (0: as many as the machine
// has), and returns when all have ended. The first Error (by index) is returned; after an Error or a stop no new index begins. Memory that
// a body does not get is an Error too: an exception would end the program where it leaves a thread.
Result<void> parallelFor(std::uint64_t count, unsigned threads, const std::stop_token& stop,
                         const std::function<Result<void>(std::uint64_t)>& body);

} // namespace wb::jobs
