// SPDX-License-Identifier: MIT
#include "core/jobs/pause_gate.h"

#include "core/jobs/job_threads.h"
#include "core/jobs/stop_wait.h"
#include "core/jobs/thread_pool.h"

#include <utility>

namespace wb::jobs {

void PauseGate::pause() {
    const std::lock_guard lock(m_mutex);
    m_paused = true;
}

void PauseGate::resume() {
    {
        const std::lock_guard lock(m_mutex);
        m_paused = false;
    }
    m_wake.notify_all();
}

Result<void> PauseGate::pass(const std::stop_token& stop) {
    if (m_paused && !stop.stop_requested() && !pauseLoopAt(*this)) waitUntilOpen(stop);
    if (stop.stop_requested()) return std::unexpected(canceled());
    return {};
}

void PauseGate::waitUntilOpen(const std::stop_token& stop) {
    if (!m_paused) return;
    const JobThreads::Idle letsAnotherJobRun;
    std::unique_lock lock(m_mutex);
    waitUnlessStopped(m_wake, lock, stop, [this] { return !m_paused; });
}

Progress PauseGate::guard(Progress progress) {
    auto report = std::move(progress.report);
    progress.report = [this, stop = progress.stop, report = std::move(report)](std::uint64_t done, std::uint64_t total) {
        if (report) report(done, total);
        static_cast<void>(pass(stop));
    };
    return progress;
}

} // namespace wb::jobs
