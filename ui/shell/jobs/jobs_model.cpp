// SPDX-License-Identifier: MIT
#include "ui/shell/jobs/jobs_model.h"

#include "ui/widgets/numbers.h"
#include "ui/widgets/plain_text.h"

#include <algorithm>

namespace wb::ui {
namespace {

QString stateText(const Job& job) {
    if (job.isStopping()) return JobsModel::tr("Canceling…");
    switch (job.state()) {
    case JobState::Waiting: return JobsModel::tr("Queued");
    case JobState::Running: return JobsModel::tr("Running");
    case JobState::Paused: return JobsModel::tr("Paused");
    case JobState::Done: return JobsModel::tr("Done");
    case JobState::Failed: return JobsModel::tr("Failed");
    case JobState::Canceled: return JobsModel::tr("Canceled");
    }
    return {};
}

int permille(const Job& job) {
    if (job.state() == JobState::Done) return 1000;
    if (job.totalUnits() == 0) return -1;
    const double share = static_cast<double>(job.doneUnits()) / static_cast<double>(job.totalUnits());
    return static_cast<int>(1000 * std::clamp(share, 0.0, 1.0));
}

QString progressText(const Job& job) {
    const int value = permille(job);
    return value < 0 ? QString() : JobsModel::tr("%1%").arg(value / 10);
}

QString timeLeftText(const Job& job) {
    const double seconds = job.secondsLeft();
    return seconds < 0 ? QString() : durationText(seconds);
}

QString cellText(const Job& job, int column) {
    switch (column) {
    case JobsModel::Title: return job.title();
    case JobsModel::State: return stateText(job);
    case JobsModel::Progress: return progressText(job);
    case JobsModel::Speed: return job.isFinished() ? QString() : speedText(job.unitsPerSecond());
    case JobsModel::TimeLeft: return timeLeftText(job);
    default: return {};
    }
}

} // namespace

void JobsModel::add(const std::shared_ptr<Job>& job) {
    beginInsertRows({}, rowCount(), rowCount());
    m_jobs.append(job);
    endInsertRows();
    connect(job.get(), &Job::changed, this, [this, watched = job.get()] { update(watched); });
    connect(job.get(), &JobHandle::finished, this, &JobsModel::countsChanged);
    connect(job.get(), &JobHandle::pausedChanged, this, &JobsModel::countsChanged);
    Q_EMIT countsChanged();
}

void JobsModel::clearFinished() {
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (!m_jobs[row]->isFinished()) continue;
        beginRemoveRows({}, row, row);
        m_jobs.removeAt(row);
        endRemoveRows();
    }
    Q_EMIT countsChanged();
}

void JobsModel::retranslate() {
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (!m_jobs.isEmpty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int JobsModel::unfinishedCount() const {
    return static_cast<int>(std::count_if(m_jobs.begin(), m_jobs.end(), [](const auto& job) { return !job->isFinished(); }));
}

int JobsModel::pausedCount() const {
    return static_cast<int>(
        std::count_if(m_jobs.begin(), m_jobs.end(), [](const auto& job) { return job->state() == JobState::Paused; }));
}

int JobsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_jobs.size()); }

int JobsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant JobsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Job& job = *m_jobs[index.row()];
    const bool isNumber = index.column() >= Progress;
    switch (role) {
    case Qt::DisplayRole: return cellText(job, index.column());
    case Qt::ToolTipRole: return plainText(job.failure().isEmpty() ? job.title() : job.failure());
    case Qt::FontRole: return isNumber ? QVariant(numberFont()) : QVariant();
    case Qt::TextAlignmentRole: return isNumber ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case PermilleRole: return permille(job);
    default: return {};
    }
}

QVariant JobsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole && section > Progress) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Title: return tr("Job");
    case State: return tr("Status");
    case Progress: return tr("Progress");
    case Speed: return tr("Speed");
    case TimeLeft: return tr("Time left");
    default: return {};
    }
}

void JobsModel::update(const Job* job) {
    const auto found = std::find_if(m_jobs.begin(), m_jobs.end(), [job](const auto& each) { return each.get() == job; });
    if (found == m_jobs.end()) return;
    const int row = static_cast<int>(found - m_jobs.begin());
    Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

} // namespace wb::ui
