// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "ui/widgets/sentence.h"

#include <QObject>

#include <functional>
#include <memory>

namespace wb::ui {

// A running or finished job as its starter sees it. Destroying the handle does not stop the job; `cancel` does.
class JobHandle : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;
    virtual void cancel() = 0;
    virtual void setPaused(bool paused) { Q_UNUSED(paused); } // only visible jobs can be
    virtual bool isFinished() const = 0;
    virtual double unitsPerSecond() const { return 0; } // as the Jobs page shows it; 0: not known

signals:
    void progressed(quint64 done, quint64 total); // at most 30 a second, on the GUI thread
    void pausedChanged(bool paused);              // by the starter or on the Jobs page
    void finished();                              // once, on the GUI thread, after `done` ran
};

// Runs long work off the GUI thread and shows it on the Jobs page with progress, speed, time left, pause and cancel.
class JobRunner {
public:
    virtual ~JobRunner() = default;

    // `work` runs on a worker thread and must honour the Progress it gets (a paused job waits inside Progress::at, in a parallelFor
    // between two indices). `done` runs on the GUI thread with its result, unless `context` was destroyed meanwhile: a view that
    // goes away thereby cancels what it asked for. `visible` = false keeps quick work (opening a file, one tensor's statistics) out
    // of the Jobs page. `total` units are bytes. The title of a visible job is one that can be read in another language, too.
    virtual std::shared_ptr<JobHandle> start(const Sentence& title, QObject* context,
                                             std::function<Result<void>(const Progress&)> work,
                                             std::function<void(Result<void>)> done, bool visible = true) = 0;
};

} // namespace wb::ui
