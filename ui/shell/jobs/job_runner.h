// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/jobs/job.h"

#include "core/jobs/job_threads.h"

#include <QHash>

namespace wb::ui {

// The only bridge between worker threads and Qt's loop. Lives on the GUI thread; everything that crosses is a value in a queued
// call. Visible work goes into the lane of long jobs, other work into the quick one.
// Destruction stops all jobs and waits for them; no `done` runs after it began.
class QueuedJobRunner : public QObject, public JobRunner {
    Q_OBJECT

public:
    QueuedJobRunner() = default;
    ~QueuedJobRunner() override;

    std::shared_ptr<JobHandle> start(const Sentence& title, QObject* context, std::function<Result<void>(const Progress&)> work,
                                     std::function<void(Result<void>)> done, bool visible = true) override;

    int unfinishedCount() const { return static_cast<int>(m_unfinished.size()); } // visible or not
    void cancelAll();

signals:
    void jobAdded(const std::shared_ptr<wb::ui::Job>& job); // visible ones only
    void idle();                                            // the last unfinished job has finished

private:
    std::function<void()> task(quint64 id, const std::shared_ptr<jobs::JobControl>& control,
                               std::function<Result<void>(const Progress&)> work);
    void watch(const std::shared_ptr<Job>& job, QObject* context);
    void withJob(quint64 id, const std::function<void(Job&)>& use); // nothing if it has finished

    quint64 m_nextId = 1;
    QHash<quint64, std::shared_ptr<Job>> m_unfinished;
    std::unique_ptr<jobs::JobThreads> m_threads = std::make_unique<jobs::JobThreads>();
};

} // namespace wb::ui
