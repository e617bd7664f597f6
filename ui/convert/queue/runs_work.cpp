// SPDX-License-Identifier: MIT
#include "ui/convert/queue/runs_work.h"

#include "ui/widgets/icons.h"
#include "ui/widgets/paths.h"

#include <QAction>
#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
#include <QMenu>

#include <algorithm>

namespace wb::ui::convert {
namespace {

WorkState workState(QueuedRun::State state) {
    switch (state) {
    case QueuedRun::State::Waiting: return WorkState::Queued;
    case QueuedRun::State::Running: return WorkState::Running;
    case QueuedRun::State::Stopped: return WorkState::Canceled;
    case QueuedRun::State::Failed: return WorkState::Failed;
    case QueuedRun::State::Done: break;
    }
    return WorkState::Done;
}

} // namespace

RunsWork::RunsWork(RunQueue& queue, RunSession& session, UnfinishedList& unfinished, QObject* parent)
    : WorkSource(parent), m_queue(queue), m_session(session), m_unfinished(unfinished) {
    connect(&queue, &RunQueue::changed, this, &WorkSource::changed);
    connect(&session, &RunSession::changed, this, &WorkSource::changed);
    connect(&unfinished, &UnfinishedList::changed, this, &WorkSource::changed);
}

WorkItem RunsWork::item(const QueuedRun& run) const {
    WorkItem item;
    item.id = QString::number(run.id);
    item.title = tr("%1 → %2").arg(QFileInfo(run.model).fileName(), QFileInfo(run.target).fileName());
    item.state = run.state == QueuedRun::State::Waiting && m_queue.isHeld() ? WorkState::Paused : workState(run.state);
    item.reason = run.failure.text();
    item.permille = run.state == QueuedRun::State::Done ? 1000 : run.percent ? *run.percent * 10 : -1;
    const bool isCurrent = run.state == QueuedRun::State::Running;
    const bool isActive = isCurrent && m_session.isRunning() && !m_session.isStopping();
    if (isCurrent) item.job = m_session.job();
    item.canPause = isActive && item.job && !m_session.isPaused();
    item.canResume = (isActive && m_session.isPaused()) || run.state == QueuedRun::State::Failed ||
                     (run.isOpen() && m_queue.isHeld() && !m_queue.isBusy());
    item.canCancel = isActive;
    item.canRemove = !isCurrent;
    if (run.state == QueuedRun::State::Done) item.result = run.target;
    return item;
}

WorkItem RunsWork::item(const UnfinishedRun& run) {
    WorkItem item;
    item.id = targetPath(run);
    item.title = tr("%1 → %2").arg(QFileInfo(sourcePath(run)).fileName(), QFileInfo(item.id).fileName());
    item.state = WorkState::Interrupted;
    if (run.state == UnfinishedRun::State::Held) item.reason = tr("Running in another process.");
    if (run.state == UnfinishedRun::State::Away) item.reason = tr("Its folder was not found.");
    if (run.state == UnfinishedRun::State::Waiting && run.changed)
        item.reason =
            tr("Last written %1.").arg(QLocale().toString(QDateTime::fromSecsSinceEpoch(*run.changed), QLocale::ShortFormat));
    item.permille = run.percent ? *run.percent * 10 : -1;
    item.canResume = run.state == UnfinishedRun::State::Waiting;
    item.canRemove = run.state != UnfinishedRun::State::Held;
    return item;
}

// A run of this window is in the queue, and its record on the disk, which may have been read before its end, is not another one.
QList<WorkItem> RunsWork::items() const {
    QList<WorkItem> items;
    QStringList targets;
    for (const QueuedRun& run : m_queue.runs()) {
        items << item(run);
        targets << QFileInfo(run.target).absoluteFilePath();
    }
    for (const UnfinishedRun& run : m_unfinished.runs())
        if (!targets.contains(QFileInfo(targetPath(run)).absoluteFilePath())) items << item(run);
    return items;
}

const QueuedRun* RunsWork::queued(const QString& id) const {
    const auto found = std::ranges::find_if(m_queue.runs(), [&id](const QueuedRun& run) { return QString::number(run.id) == id; });
    return found == m_queue.runs().end() ? nullptr : &*found;
}

const UnfinishedRun* RunsWork::interrupted(const QString& id) const {
    const auto found = std::ranges::find_if(m_unfinished.runs(), [&id](const UnfinishedRun& run) { return targetPath(run) == id; });
    return found == m_unfinished.runs().end() ? nullptr : &*found;
}

void RunsWork::pause(const QString& id) {
    if (const QueuedRun* run = queued(id); run && run->state == QueuedRun::State::Running) m_session.setPaused(true);
}

void RunsWork::resume(const QString& id) {
    const QueuedRun* const run = queued(id);
    if (!run) {
        if (const UnfinishedRun* left = interrupted(id)) emit resumeWanted(UnfinishedRun(*left));
        return;
    }
    if (run->state == QueuedRun::State::Running) m_session.setPaused(false);
    else if (run->state == QueuedRun::State::Failed) m_queue.retry(run->id);
    else m_queue.goOn();
}

void RunsWork::cancel(const QString& id) {
    if (const QueuedRun* run = queued(id); run && run->state == QueuedRun::State::Running) m_session.cancel();
}

// The output that a failed run of the queue has written stays, as an interrupted run.
void RunsWork::remove(const QString& id) {
    if (const QueuedRun* run = queued(id)) {
        if (run->state == QueuedRun::State::Stopped) return emit discardQueuedWanted(run->id);
        const bool leavesWork = run->state == QueuedRun::State::Failed;
        m_queue.remove(run->id);
        if (leavesWork) m_unfinished.refresh();
    } else if (const UnfinishedRun* left = interrupted(id)) emit discardWanted(UnfinishedRun(*left));
}

void RunsWork::addCommands(QMenu* menu, const QString& id) {
    if (!id.isEmpty() || m_queue.openCount() == 0) return;
    QAction* const hold = menu->addAction(icon(QStringLiteral("pause")), tr("Pause conversions after the current job"));
    hold->setObjectName(QStringLiteral("holdQueue"));
    hold->setCheckable(true);
    hold->setChecked(m_queue.isHeld());
    connect(hold, &QAction::toggled, &m_queue, [this](bool isHeld) {
        if (isHeld) m_queue.hold();
        else m_queue.goOn();
    });
}

} // namespace wb::ui::convert
