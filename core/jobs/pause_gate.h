// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace wb::jobs {

// Where a long job waits while its user has paused it. Thread-safe; must outlive the work that passes it.
class PauseGate {
public:
    void pause();
    void resume();
    bool isPaused() const { return m_paused; }

    // Returns at once while the gate is open; else waits until it is, or fails with Canceled when `stop` is requested. In the body
    // of a parallelFor it does not wait but has the loop do so between two indices: no helper of the pool is kept from other jobs.
    Result<void> pass(const std::stop_token& stop);

    // Waits wherever it is called, until the gate is open or `stop` is requested.
    void waitUntilOpen(const std::stop_token& stop);

    // The same progress, which also waits here with every report. A stop wakes it, and the next Progress::at says Canceled.
    Progress guard(Progress progress);

private:
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::atomic<bool> m_paused{false}; // written with the mutex held
};

} // namespace wb::jobs
