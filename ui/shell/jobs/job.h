// SPDX-License-Identifier: MIT
#pragma once

#include "core/jobs/job_control.h"
#include "ui/shell/services/job_runner.h"

#include <QElapsedTimer>
#include <QPointer>

namespace wb::ui {

enum class JobState { Waiting, Running, Paused, Done, Failed, Canceled };

// One job on the GUI thread: what the Jobs page shows and what its starter holds.
class Job : public JobHandle {
    Q_OBJECT

public:
    using Done = std::function<void(Result<void>)>;

    Job(quint64 id, Sentence title, Done done, std::shared_ptr<jobs::JobControl> control);

    quint64 id() const { return m_id; }
    QString title() const { return m_title.text(); } // in the language of the moment, as the failure
    JobState state() const { return m_state; }
    bool isStopping() const { return !isFinished() && m_control->stopRequested(); } // the worker has not answered yet
    quint64 doneUnits() const { return m_doneUnits; }
    quint64 totalUnits() const { return m_totalUnits; }
    double unitsPerSecond() const override { return m_speed; }
    double secondsLeft() const; // below 0: not known
    QString failure() const { return m_failure.text(); }

    void cancel() override;
    void cancelByUser();
    bool isFinished() const override;
    void setPaused(bool paused) override;
    void dropDone() { m_done = nullptr; } // for a context that goes away

    // Called by the runner with what the worker said.
    void begin();
    void updateFigures();
    void finish(Result<void> result);

signals:
    void changed();        // state or figures
    void canceledByUser(); // before the work is asked to stop, which ends with Canceled

private:
    void setState(JobState state);
    void measureSpeed(quint64 done);

    quint64 m_id;
    Sentence m_title;
    Done m_done;
    std::shared_ptr<jobs::JobControl> m_control;
    JobState m_state = JobState::Waiting;
    quint64 m_doneUnits = 0;
    quint64 m_totalUnits = 0;
    double m_speed = 0;
    quint64 m_measuredUnits = 0;
    QElapsedTimer m_sinceMeasured;
    Sentence m_failure;
};

} // namespace wb::ui
