// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/services/job_runner.h"

#include <QList>
#include <QString>

class QMenu;

namespace wb::ui {

enum class WorkState { Running, Queued, Paused, Interrupted, Failed, Canceled, Done };

// Work of a tab that lasts longer than a job, as the Jobs page shows it: a download, a run of a queue, one that a crash ended.
struct WorkItem {
    QString id;    // unique within its source, and stays
    QString title; // in the language of the moment
    WorkState state = WorkState::Queued;
    QString reason;                 // of the state, in a sentence; empty: none
    int permille = -1;              // of the work that is done while no job runs; -1: not known
    const JobHandle* job = nullptr; // that does it now: figures and pauses are those of the job
    bool canPause = false, canResume = false, canCancel = false;
    bool canRemove = false;                      // from the list, once it does not run
    bool canMoveUp = false, canMoveDown = false; // among the others of its source, where these have an order
    quint64 bytes = 0;                           // of the whole result; 0: not known
    QString result;                              // the file or folder that it made; empty: none yet

    bool operator==(const WorkItem&) const = default;
};

// The contribution of a tab to the one list of work. GUI thread only.
class WorkSource : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    virtual QList<WorkItem> items() const = 0;
    virtual void pause(const QString& id) = 0;
    virtual void resume(const QString& id) = 0;
    virtual void cancel(const QString& id) = 0;
    virtual void remove(const QString& id) = 0;                 // may ask first
    virtual void move(const QString& /*id*/, int /*places*/) {} // up where negative

    // Puts further commands for an item into a menu that is about to be shown; for an empty id, those for all its work.
    virtual void addCommands(QMenu* /*menu*/, const QString& /*id*/) {}
    virtual void refresh() {} // the user opens the list: reads again what other programs may have changed

signals:
    void changed(); // what items() returns
};

} // namespace wb::ui
