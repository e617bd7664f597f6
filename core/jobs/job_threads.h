// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace wb::jobs {

// The threads that drive jobs, one a job from its start to its end; the loops inside a job get their helpers from parallelFor. Each
// lane runs so many jobs at once and keeps the others waiting in order, so that long jobs never delay opening a file. Threads are
// made when needed and reused by both lanes: an idle window has none. Destruction finishes what runs and drops what waits.
class JobThreads {
public:
    enum class Lane { Quick, Long };

    explicit JobThreads(unsigned quickAtOnce = 2, unsigned longAtOnce = 4) : m_lanes{Queue{quickAtOnce}, Queue{longAtOnce}} {}
    ~JobThreads();
    JobThreads(const JobThreads&) = delete;
    JobThreads& operator=(const JobThreads&) = delete;

    // Thread-safe. The task must not throw. It runs on the calling thread where the system gives not even one thread.
    void submit(Lane lane, std::function<void()> task);

    // While one exists, the job that this thread drives (if it drives one) does not count among those that its lane runs at once:
    // paused jobs do not block others.
    class Idle {
    public:
        Idle();
        ~Idle();
        Idle(const Idle&) = delete;
        Idle& operator=(const Idle&) = delete;
    };

private:
    struct Queue {
        unsigned limit;
        unsigned running = 0;
        std::deque<std::function<void()>> waiting{};

        bool isReady() const { return running < limit && !waiting.empty(); }
    };

    Queue& queue(Lane lane) { return m_lanes[static_cast<std::size_t>(lane)]; }
    void addWorkers();
    void work(const std::stop_token& stop);
    void countRunning(Lane lane, int change);

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::array<Queue, 2> m_lanes;
    std::size_t m_busy = 0; // workers inside a task
    std::vector<std::jthread> m_workers;
};

} // namespace wb::jobs
