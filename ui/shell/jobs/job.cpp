// SPDX-License-Identifier: MIT
#include "ui/shell/jobs/job.h"

namespace wb::ui {

Job::Job(quint64 id, Sentence title, Done done, std::shared_ptr<jobs::JobControl> control)
    : m_id(id), m_title(std::move(title)), m_done(std::move(done)), m_control(std::move(control)) {}

double Job::secondsLeft() const {
    if (m_state != JobState::Running || m_speed <= 0 || m_totalUnits < m_doneUnits) return -1;
    return static_cast<double>(m_totalUnits - m_doneUnits) / m_speed;
}

bool Job::isFinished() const { return m_state == JobState::Done || m_state == JobState::Failed || m_state == JobState::Canceled; }

void Job::cancel() {
    if (isFinished()) return;
    m_control->requestStop();
    if (m_control->claim()) finish(std::unexpected(canceled()));
    else Q_EMIT changed();
}

// The starter hears of it first, so that it can tell a user's wish from the end of the program.
void Job::cancelByUser() {
    if (isFinished() || isStopping()) return;
    Q_EMIT canceledByUser();
    cancel();
}

void Job::setPaused(bool paused) {
    if (m_state != (paused ? JobState::Running : JobState::Paused)) return;
    m_control->setPaused(paused);
    m_speed = 0;
    m_sinceMeasured.invalidate();
    setState(paused ? JobState::Paused : JobState::Running);
}

void Job::begin() {
    if (m_state == JobState::Waiting) setState(JobState::Running);
}

void Job::updateFigures() {
    if (isFinished()) return;
    m_doneUnits = m_control->done();
    m_totalUnits = m_control->total();
    if (m_state == JobState::Running) measureSpeed(m_doneUnits);
    Q_EMIT progressed(m_doneUnits, m_totalUnits);
    Q_EMIT changed();
}

void Job::finish(Result<void> result) {
    if (isFinished()) return;
    updateFigures();
    if (!result && result.error().code != ErrorCode::Canceled) m_failure = result.error();
    const Done done = std::exchange(m_done, nullptr);
    setState(result ? JobState::Done : failure().isEmpty() ? JobState::Canceled : JobState::Failed);
    if (done) done(std::move(result));
    Q_EMIT finished();
}

void Job::setState(JobState state) {
    const bool wasPaused = std::exchange(m_state, state) == JobState::Paused;
    Q_EMIT changed();
    if (wasPaused != (state == JobState::Paused)) Q_EMIT pausedChanged(!wasPaused);
}

// The speed is averaged over about a second, so that the time left does not jump.
void Job::measureSpeed(quint64 done) {
    if (!m_sinceMeasured.isValid()) {
        m_sinceMeasured.start();
        m_measuredUnits = done;
        return;
    }
    const double seconds = static_cast<double>(m_sinceMeasured.elapsed()) / 1000;
    if (seconds < 0.25 || done < m_measuredUnits) return;
    const double latest = static_cast<double>(done - m_measuredUnits) / seconds;
    m_speed = m_speed > 0 ? m_speed * 0.7 + latest * 0.3 : latest;
    m_measuredUnits = done;
    m_sinceMeasured.restart();
}

} // namespace wb::ui
