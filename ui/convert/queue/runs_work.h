// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/queue/run_queue.h"
#include "ui/convert/run/unfinished_list.h"
#include "ui/shell/jobs/work_source.h"

namespace wb::ui::convert {

// The runs of the queue for the Jobs page, and those that ended before they were done.
class RunsWork : public WorkSource {
    Q_OBJECT

public:
    // All must outlive it.
    RunsWork(RunQueue& queue, RunSession& session, UnfinishedList& unfinished, QObject* parent = nullptr);

    QList<WorkItem> items() const override;
    void pause(const QString& id) override;
    void resume(const QString& id) override; // of one that waits or was canceled: the queue continues with it
    void cancel(const QString& id) override; // progress is saved
    void remove(const QString& id) override;
    void addCommands(QMenu* menu, const QString& id) override;
    void refresh() override { m_unfinished.refresh(); }

signals:
    // Continues or discards one that is not in the queue, or discards a canceled one of the queue with its saved progress.
    // Discarding is to be asked.
    void resumeWanted(const wb::ui::convert::UnfinishedRun& run);
    void discardWanted(const wb::ui::convert::UnfinishedRun& run);
    void discardQueuedWanted(quint64 id);

private:
    WorkItem item(const QueuedRun& run) const;
    static WorkItem item(const UnfinishedRun& run);
    const QueuedRun* queued(const QString& id) const;          // null: none
    const UnfinishedRun* interrupted(const QString& id) const; // null: none

    RunQueue& m_queue;
    RunSession& m_session;
    UnfinishedList& m_unfinished;
};

} // namespace wb::ui::convert
