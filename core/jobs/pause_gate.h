// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"

#include <condition_variable>
#include <mutex>

namespace wb::jobs {

// Where a long job waits while its user has paused it. Thread-safe; must outlive the work that passes it.
class PauseGate {
public:
    void pause();
    void resume();
    bool isPaused() const;

    // Returns at once while the gate is open; else waits until it is, or fails with Cancelled when `stop` is requested.
    Result<void> pass(const std::stop_token& stop);

    // The same progress, which also waits here with every report. A stop wakes it, and the next Progress::at says Cancelled.
    Progress guard(Progress progress);

private:
    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    bool m_paused = false;
};

} // namespace wb::jobs
