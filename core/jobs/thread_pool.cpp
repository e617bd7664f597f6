// SPDX-License-Identifier: MIT
#include "core/jobs/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <system_error>

namespace wb::jobs {
namespace {

unsigned machineThreads(unsigned asked) { return asked != 0 ? asked : std::max(1u, std::thread::hardware_concurrency()); }

// Whether the system gave one more thread; without it the work goes on with fewer.
bool addThread(std::vector<std::jthread>& threads, auto work) {
    try {
        threads.emplace_back(work);
        return true;
    } catch (const std::system_error&) {
        return false;
    }
}

// What the threads of one parallelFor share.
struct Loop {
    const std::uint64_t count;
    const std::stop_token& stop;
    const std::function<Result<void>(std::uint64_t)>& body;
    std::atomic<std::uint64_t> next{0};
    std::atomic<bool> failed{false};
    std::mutex mutex{};
    std::uint64_t firstIndex = 0; // of the failure kept in firstError; both guarded by mutex
    Error firstError{};

    void run() {
        while (!failed && !stop.stop_requested()) {
            const std::uint64_t index = next++;
            if (index >= count) return;
            if (auto result = call(index); !result) keep(index, std::move(result).error());
        }
    }

    Result<void> call(std::uint64_t index) const {
        try {
            return body(index);
        } catch (const std::bad_alloc&) {
            return std::unexpected(outOfMemory());
        }
    }

    void keep(std::uint64_t index, Error error) {
        const std::lock_guard lock(mutex);
        if (failed && index > firstIndex) return;
        failed = true;
        firstIndex = index;
        firstError = std::move(error);
    }
};

} // namespace

ThreadPool::ThreadPool(unsigned threads) {
    for (unsigned i = machineThreads(threads); i > 0; --i)
        if (!addThread(m_workers, [this](const std::stop_token& stop) { work(stop); })) break;
}

ThreadPool::~ThreadPool() {
    for (std::jthread& worker : m_workers) worker.request_stop();
    m_wake.notify_all();
    m_workers.clear();
}

void ThreadPool::submit(std::function<void()> task) {
    if (m_workers.empty()) return task(); // the system gave no thread
    {
        const std::lock_guard lock(m_mutex);
        m_queue.push_back(std::move(task));
    }
    m_wake.notify_one();
}

void ThreadPool::work(std::stop_token stop) {
    while (true) {
        std::function<void()> task;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return !m_queue.empty(); }) || stop.stop_requested()) return;
            task = std::move(m_queue.front());
            m_queue.pop_front();
        }
        task();
    }
}

Result<void> parallelFor(std::uint64_t count, unsigned threads, const std::stop_token& stop,
                         const std::function<Result<void>(std::uint64_t)>& body) {
    Loop loop{count, stop, body};
    {
        std::vector<std::jthread> helpers;
        const std::uint64_t wanted = std::min<std::uint64_t>(machineThreads(threads), count);
        for (std::uint64_t i = 1; i < wanted; ++i)
            if (!addThread(helpers, [&loop] { loop.run(); })) break;
        loop.run();
    }
    if (loop.failed) return std::unexpected(std::move(loop.firstError));
    if (stop.stop_requested()) return std::unexpected(cancelled());
    return {};
}

} // namespace wb::jobs
