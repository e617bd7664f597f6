// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace wb::jobs {

// Threads that live as long as a model and work in step: a token passes hundreds of barriers, so a barrier must cost well below a
// microsecond. The caller of run() is worker 0. Who waits spins for some tens of microseconds and then
// sleeps, so that an idle model takes no CPU time.
class Team {
public:
    static Result<std::unique_ptr<Team>> make(unsigned threads);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    unsigned size() const { return m_size; }

    // Calls body(0) … body(size-1), each on its own thread, and returns when all have. One caller at a time; the body must not
    // throw.
    void run(const std::function<void(unsigned)>& body);

    // Inside a body: returns when all workers have come here.
    void barrier();

private:
    explicit Team(unsigned threads) : m_size(threads) {}
    void work(unsigned index);
    void waitBeyond(std::uint64_t epoch);

    const unsigned m_size;
    std::atomic<unsigned> m_arrived{0};
    std::atomic<std::uint64_t> m_epoch{0};
    std::atomic<unsigned> m_sleepers{0};
    std::mutex m_mutex;
    std::condition_variable m_wake;
    const std::function<void(unsigned)>* m_body = nullptr; // null: the end
    std::vector<std::thread> m_workers;
};

// The part of `count` things that worker `index` of `workers` does.
struct Range {
    std::size_t begin, end;
};
inline Range share(std::size_t count, unsigned index, unsigned workers) {
    return {count * index / workers, count * (index + 1) / workers};
}

} // namespace wb::jobs
