// SPDX-License-Identifier: MIT
#include "ui/convert/queue/queue_model.h"

#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/plain_text.h"

#include <QFileInfo>

#include <algorithm>

namespace wb::ui::convert {

QueueModel::QueueModel(const RunQueue& queue, const RunSession& session, QObject* parent)
    : QAbstractTableModel(parent), m_queue(queue), m_session(session), m_runs(queue.runs()) {
    connect(&m_queue, &RunQueue::changed, this, &QueueModel::renew);
    connect(&m_session, &RunSession::progressed, this, &QueueModel::showProgress);
    connect(&m_session, &RunSession::changed, this, &QueueModel::showProgress);
}

// Rows that stay keep their selection.
void QueueModel::renew() {
    const QList<QueuedRun>& now = m_queue.runs();
    const bool isSame = std::ranges::equal(m_runs, now, {}, &QueuedRun::id, &QueuedRun::id);
    if (!isSame) beginResetModel();
    m_runs = now;
    if (!isSame) return endResetModel();
    if (!m_runs.isEmpty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
}

void QueueModel::showProgress() {
    const QueuedRun* const current = m_queue.current();
    const int row = current ? rowOf(current->id) : -1;
    if (row >= 0) emit dataChanged(index(row, State), index(row, State));
}

int QueueModel::rowOf(quint64 id) const {
    const auto found = std::ranges::find(m_runs, id, &QueuedRun::id);
    return found == m_runs.end() ? -1 : static_cast<int>(found - m_runs.begin());
}

int QueueModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_runs.size()); }

int QueueModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QString QueueModel::runState(const QueuedRun& run) const {
    switch (run.state) {
    case QueuedRun::State::Waiting: return run.percent ? tr("queued, %1% saved").arg(*run.percent) : tr("queued");
    case QueuedRun::State::Running: {
        if (!m_session.isRunning()) return tr("loading plan");
        const quint64 total = std::max<quint64>(1, m_session.totalBytes());
        const QString percent = tr("%1%").arg(m_session.doneBytes() * 100 / total);
        return m_session.isStopping() ? tr("%1, stopping").arg(percent)
               : m_session.isPaused() ? tr("%1, paused").arg(percent)
                                      : percent;
    }
    case QueuedRun::State::Stopped: return run.percent ? tr("canceled, %1% saved").arg(*run.percent) : tr("canceled");
    case QueuedRun::State::Failed: return run.failure.text();
    case QueuedRun::State::Done: return tr("done");
    }
    return {};
}

QVariant QueueModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) return {};
    const QueuedRun& shown = run(index.row());
    const bool isTip = role == Qt::ToolTipRole;
    switch (index.column()) {
    case Model: return isTip ? plainText(shortPath(shown.model)) : QFileInfo(shown.model).fileName();
    case Type: return isTip ? QVariant() : shown.type;
    case Target: return isTip ? plainText(shortPath(shown.target)) : QFileInfo(shown.target).fileName();
    case State: return isTip ? plainText(runState(shown)) : runState(shown);
    default: return {};
    }
}

QVariant QueueModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Model: return tr("Model");
    case Type: return tr("Type");
    case Target: return tr("File");
    case State: return tr("Status");
    default: return {};
    }
}

} // namespace wb::ui::convert
