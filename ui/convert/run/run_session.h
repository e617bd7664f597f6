// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/run/run_check.h"
#include "ui/shell/jobs/latest_job.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/sentence.h"

namespace wb::ui::convert {

// One run after the other: the check before it, its job with pause and cancel, and its result. GUI thread only; all files are
// looked at and written by jobs.
class RunSession : public QObject {
    Q_OBJECT

public:
    explicit RunSession(const Services& services); // which must outlive it

    void check(const JobPtr& job, const QString& target); // emits checked(), or checkFailed()
    void cancelCheck() { m_checking.cancel(); }
    bool isChecking() const { return m_checking.isRunning(); }

    // `finished` is called on a worker as soon as the files are there.
    void start(const JobPtr& job, const QString& target, bool replace, std::function<void()> finished = {});
    void setPaused(bool paused);
    void cancel(); // progress is saved and the run can be resumed
    void clear();  // forgets the outcome

    bool isRunning() const { return m_isRunning; }
    bool isPaused() const { return m_isPaused; }
    bool isStopping() const { return m_isStopping; } // canceled, and progress is being saved
    QString source() const { return m_planned ? qtPath(m_planned->source()) : QString(); }
    QString heading() const { return m_planned ? convert::heading(*m_planned) : QString(); }
    QString target() const { return m_target; }
    QString firstFile() const { return m_firstFile; } // of the files to write: the one to open
    quint64 doneBytes() const { return m_done; }
    quint64 totalBytes() const { return m_total; }
    double bytesPerSecond() const { return m_job ? m_job->unitsPerSecond() : 0; }    // the Jobs page shows the same
    const JobHandle* job() const { return m_job.get(); }                             // null: none yet, or none runs
    const std::optional<wb::convert::Outcome>& outcome() const { return m_outcome; } // empty: it has not succeeded
    const Sentence& failure() const { return m_failure; } // of the last run; empty: it was canceled or all is well

signals:
    void changed();    // anything but the figures
    void progressed(); // those
    void checked(const wb::ui::convert::RunCheck& check);
    void checkFailed(const wb::ui::Sentence& why);
    void ended();

private:
    void startJob();
    void end(const Sentence& failure);

    const Services& m_services;
    LatestJob m_checking;
    LatestJob m_preparing; // work before the jobs list shows the run
    std::shared_ptr<JobHandle> m_job;
    std::shared_ptr<run::Claim> m_claim; // says that the run lives
    JobPtr m_planned;
    std::function<void()> m_finished;
    QString m_target;
    QString m_firstFile;
    bool m_replace = false;
    bool m_isRunning = false;
    bool m_isPaused = false;
    bool m_isStopping = false;
    quint64 m_done = 0;
    quint64 m_total = 0;
    std::optional<wb::convert::Outcome> m_outcome;
    Sentence m_failure;
};

} // namespace wb::ui::convert
