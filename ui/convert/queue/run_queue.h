// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/queue/queue_store.h"
#include "ui/convert/run/run_session.h"

namespace wb::ui::convert {

// Runs one after another: of several types of one model, or of several models. A run that fails does not keep the next ones
// waiting; one that is canceled does, until goOn(). Runs that were added are kept on the disk until they are done; after a restart
// they wait for goOn(), too. GUI thread only.
class RunQueue : public QObject {
    Q_OBJECT

public:
    RunQueue(const Services& services, RunSession& session); // both must outlive it

    void load(); // fetches the runs that an earlier start of the program left

    const QList<QueuedRun>& runs() const { return m_runs; } // in their order, with those that are done
    const QueuedRun* current() const;                       // null: none runs
    bool isBusy() const { return m_current != 0; }
    bool isHeld() const { return m_isHeld; } // those that wait do not start by themselves
    int openCount() const;                   // still to be done, the current one aside
    bool has(const QString& target) const;   // still to be written by a run of the queue

    // Starts a run at once, before all that wait; nothing may be running. It is not kept over a restart unless others join it.
    quint64 runNow(QueuedRun run);
    void add(const QList<QueuedRun>& runs); // at the end, and continues with the queue
    void goOn();                            // with the first that is to be done; one that was stopped is continued
    void hold();                            // the current run ends, no other starts
    void remove(quint64 id);                // one that does not run; what it has written stays among the unfinished runs
    void retry(quint64 id);                 // one that failed
    void clearDone();

signals:
    void changed();
    void ended(quint64 id); // see its state; the next has not started yet
    void notSaved(const wb::ui::Sentence& why);

private:
    QueuedRun* find(quint64 id);
    QueuedRun* nextOpen();
    quint64 newId();
    void removeDone(const QString& target);
    void save(const QList<QueuedRun>& runs);
    void begin(quint64 id);
    void plan(const QueuedRun& run);
    void start(QueuedRun& run);
    void onEnded();
    void finish(QueuedRun& run, QueuedRun::State state);
    void lookUp(); // the share of saved progress

    const Services& m_services;
    RunSession& m_session;
    std::shared_ptr<QueueStore> m_store; // shared with jobs
    LatestJob m_loading;
    LatestJob m_planning;
    LatestJob m_looking;
    QList<QueuedRun> m_runs;
    quint64 m_current = 0;
    bool m_isHeld = false;
};

} // namespace wb::ui::convert
