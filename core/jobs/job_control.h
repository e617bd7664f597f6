// SPDX-License-Identifier: MIT
#pragma once

#include "core/jobs/pause_gate.h"

#include <atomic>
#include <functional>

namespace wb::jobs {

// State shared by the GUI thread and the worker of one job: stop, pause and the last figures. Every member is thread-safe.
class JobControl {
public:
    // `notify` is called from worker threads at most 30 times a second when there are new figures.
    explicit JobControl(std::function<void()> notify) : m_notify(std::move(notify)) {}

    void requestStop() { m_stop.request_stop(); }
    bool stopRequested() const { return m_stop.stop_requested(); }
    void setPaused(bool paused) { paused ? m_gate.pause() : m_gate.resume(); }

    // The Progress to hand into the work. It waits inside `report` while the job is paused, until it continues or is stopped.
    Progress progress();

    std::uint64_t done() const { return m_done; }
    std::uint64_t total() const { return m_total; }

    // True for exactly one caller: the worker that starts the work, or the GUI thread that cancels it before it began.
    bool claim() { return !m_claimed.exchange(true); }

private:
    void report(std::uint64_t done, std::uint64_t total);
    bool isTimeToNotify();

    std::stop_source m_stop;
    std::function<void()> m_notify;
    std::atomic<std::uint64_t> m_done{0};
    std::atomic<std::uint64_t> m_total{0};
    std::atomic<std::int64_t> m_lastNotice{0}; // steady clock, ns
    std::atomic<bool> m_claimed{false};
    PauseGate m_gate;
};

} // namespace wb::jobs
