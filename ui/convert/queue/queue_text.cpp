// SPDX-License-Identifier: MIT
#include "ui/convert/queue/queue_text.h"

#include "ui/widgets/sentence.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace wb::ui::convert {
namespace {

using State = QueuedRun::State;

struct Queue {
    Q_DECLARE_TR_FUNCTIONS(Queue)
};

const QueuedRun* queueStopped(const RunQueue& queue) {
    const auto found = std::ranges::find(queue.runs(), State::Stopped, &QueuedRun::state);
    return found == queue.runs().end() ? nullptr : &*found;
}

QString runningText(const QueuedRun& run, const RunSession& session) {
    const quint64 total = std::max<quint64>(1, session.totalBytes());
    const quint64 percent = session.isRunning() ? session.doneBytes() * 100 / total : 0;
    return Queue::tr("%1 → %2: %3% done.").arg(QFileInfo(run.model).fileName(), run.type).arg(percent);
}

} // namespace

QString queueText(const RunQueue& queue, const RunSession& session) {
    const int open = queue.openCount();
    QStringList sentences;
    if (const QueuedRun* run = queue.current()) {
        sentences << runningText(*run, session);
        if (open > 0)
            sentences << (queue.isHeld() ? Queue::tr("The queue will then stop; %n more job(s) waiting.", nullptr, open)
                                         : Queue::tr("%n more job(s) waiting.", nullptr, open));
    } else if (const QueuedRun* stopped = queueStopped(queue)) {
        const QString name = QFileInfo(stopped->target).fileName();
        sentences << (stopped->percent ? Queue::tr("%1 was canceled; %2% of it was saved.").arg(name).arg(*stopped->percent)
                                       : Queue::tr("%1 was canceled.").arg(name));
        if (open > 1) sentences << Queue::tr("%n more job(s) waiting.", nullptr, open - 1);
    } else if (open > 0) {
        sentences << Queue::tr("Queue paused; %n job(s) waiting.", nullptr, open);
    }
    const auto count = [&queue](State state) {
        return static_cast<int>(std::ranges::count(queue.runs(), state, &QueuedRun::state));
    };
    const int done = count(State::Done);
    if (done > 1 || (done == 1 && queue.runs().size() > 1)) sentences << Queue::tr("%n job(s) finished.", nullptr, done);
    if (const int failed = count(State::Failed); failed > 0) sentences << Queue::tr("%n job(s) failed.", nullptr, failed);
    return joined(sentences);
}

} // namespace wb::ui::convert
