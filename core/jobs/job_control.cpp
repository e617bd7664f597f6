// SPDX-License-Identifier: MIT
#include "core/jobs/job_control.h"

#include <chrono>

namespace wb::jobs {
namespace {

constexpr std::int64_t noticeInterval = 1'000'000'000 / 30;

std::int64_t steadyNow() { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

} // namespace

Progress JobControl::progress() {
    return m_gate.guard({m_stop.get_token(), [this](std::uint64_t done, std::uint64_t total) { report(done, total); }});
}

void JobControl::report(std::uint64_t done, std::uint64_t total) {
    m_done = done;
    m_total = total;
    if (isTimeToNotify()) m_notify();
}

bool JobControl::isTimeToNotify() {
    const std::int64_t now = steadyNow();
    std::int64_t last = m_lastNotice;
    return now - last >= noticeInterval && m_lastNotice.compare_exchange_strong(last, now);
}

} // namespace wb::jobs
