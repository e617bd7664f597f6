// SPDX-License-Identifier: MIT
#include "core/jobs/job_threads.h"

#include "core/jobs/add_thread.h"
#include "core/jobs/stop_wait.h"

#include <algorithm>
#include <utility>

namespace wb::jobs {
namespace {

// What this thread drives; no owner where it drives nothing.
struct Driven {
    JobThreads* owner = nullptr;
    JobThreads::Lane lane = JobThreads::Lane::Quick;
};
thread_local Driven driven;

} // namespace

JobThreads::~JobThreads() {
    for (std::jthread& worker : m_workers) worker.request_stop();
    m_workers.clear();
}

void JobThreads::submit(Lane lane, std::function<void()> task) {
    std::function<void()> unserved;
    {
        const std::lock_guard lock(m_mutex);
        std::deque<std::function<void()>>& waiting = queue(lane).waiting;
        waiting.push_back(std::move(task));
        addWorkers();
        if (m_workers.empty()) {
            unserved = std::move(waiting.back());
            waiting.pop_back();
        }
    }
    if (unserved) unserved();
    else m_wake.notify_one();
}

// As many as can run at once now.
void JobThreads::addWorkers() {
    std::size_t wanted = m_busy;
    for (const Queue& lane : m_lanes)
        if (lane.isReady()) wanted += std::min<std::size_t>(lane.waiting.size(), lane.limit - lane.running);
    while (m_workers.size() < wanted && addThread(m_workers, [this](const std::stop_token& stop) { work(stop); })) {
    }
}

void JobThreads::work(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    while (true) {
        const auto ready = [this] { return std::ranges::find_if(m_lanes, &Queue::isReady); };
        if (!waitUnlessStopped(m_wake, lock, stop, [&] { return ready() != m_lanes.end(); }) || stop.stop_requested()) return;
        Queue& lane = *ready();
        std::function<void()> task = std::move(lane.waiting.front());
        lane.waiting.pop_front();
        ++lane.running;
        ++m_busy;
        lock.unlock();
        driven = {this, static_cast<Lane>(&lane - m_lanes.data())};
        task();
        task = nullptr; // what it holds is destroyed without the lock
        driven = {};
        lock.lock();
        --m_busy;
        --lane.running;
    }
}

void JobThreads::countRunning(Lane lane, int change) {
    {
        const std::lock_guard lock(m_mutex);
        queue(lane).running += static_cast<unsigned>(change);
        addWorkers();
    }
    m_wake.notify_one();
}

JobThreads::Idle::Idle() {
    if (driven.owner) driven.owner->countRunning(driven.lane, -1);
}

JobThreads::Idle::~Idle() {
    if (driven.owner) driven.owner->countRunning(driven.lane, +1);
}

} // namespace wb::jobs
