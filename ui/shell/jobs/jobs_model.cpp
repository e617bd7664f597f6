// SPDX-License-Identifier: MIT
#include "ui/shell/jobs/jobs_model.h"

#include "ui/widgets/numbers.h"
#include "ui/widgets/plain_text.h"

#include <algorithm>

namespace wb::ui {
namespace {

QString stateText(WorkState state) {
    switch (state) {
    case WorkState::Running: return JobsModel::tr("Running");
    case WorkState::Queued: return JobsModel::tr("Queued");
    case WorkState::Paused: return JobsModel::tr("Paused");
    case WorkState::Interrupted: return JobsModel::tr("Interrupted");
    case WorkState::Failed: return JobsModel::tr("Failed");
    case WorkState::Canceled: return JobsModel::tr("Canceled");
    case WorkState::Done: return JobsModel::tr("Done");
    }
    return {};
}

WorkState jobWorkState(const Job& job) {
    switch (job.state()) {
    case JobState::Waiting: return WorkState::Queued;
    case JobState::Running: return WorkState::Running;
    case JobState::Paused: return WorkState::Paused;
    case JobState::Done: return WorkState::Done;
    case JobState::Failed: return WorkState::Failed;
    case JobState::Canceled: break;
    }
    return WorkState::Canceled;
}

int jobPermille(const Job& job) {
    if (job.state() == JobState::Done) return 1000;
    if (job.totalUnits() == 0) return -1;
    const double share = static_cast<double>(job.doneUnits()) / static_cast<double>(job.totalUnits());
    return static_cast<int>(1000 * std::clamp(share, 0.0, 1.0));
}

} // namespace

void JobsModel::add(const std::shared_ptr<Job>& job) {
    beginInsertRows({}, rowCount(), rowCount());
    Row row;
    row.job = job;
    row.item.id = QStringLiteral("job %1").arg(++m_lastJob);
    m_rows.append(row);
    endInsertRows();
    connect(job.get(), &Job::changed, this, [this, watched = job.get()] { update(watched); });
    connect(job.get(), &JobHandle::finished, this, &JobsModel::countsChanged);
    connect(job.get(), &JobHandle::pausedChanged, this, &JobsModel::countsChanged);
    Q_EMIT countsChanged();
}

void JobsModel::addSource(WorkSource* source) {
    m_sources.append(source);
    connect(source, &WorkSource::changed, this, [this, source] { update(source); });
    connect(source, &QObject::destroyed, this, [this, source] {
        m_sources.removeOne(source);
        for (int row = rowCount() - 1; row >= 0; --row)
            if (m_rows[row].source == source) removeRow(row);
    });
    update(source);
}

void JobsModel::removeRow(int row) {
    beginRemoveRows({}, row, row);
    m_rows.removeAt(row);
    endRemoveRows();
}

void JobsModel::showRow(int row) { Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1)); }

// The job from the row that it has alone, which goes: from now on it is shown by the item that claims it.
std::shared_ptr<Job> JobsModel::takeJob(const JobHandle* job) {
    for (int row = 0; job && row < rowCount(); ++row) {
        if (m_rows[row].source || m_rows[row].job.get() != job) continue;
        std::shared_ptr<Job> taken = m_rows[row].job;
        removeRow(row);
        return taken;
    }
    return nullptr;
}

void JobsModel::place(WorkSource* source, const WorkItem& item) {
    const auto isItem = [&](const Row& row) { return row.source == source && row.item.id == item.id; };
    auto found = std::ranges::find_if(m_rows, isItem);
    std::shared_ptr<Job> job = found != m_rows.end() && found->job.get() == item.job ? found->job : nullptr;
    if (!job && item.job) {
        if (found == m_rows.end()) { // what began as a job keeps its place
            const auto alone =
                std::ranges::find_if(m_rows, [&](const Row& row) { return !row.source && row.job.get() == item.job; });
            if (alone != m_rows.end()) {
                alone->source = source;
                alone->item = item;
                return showRow(static_cast<int>(alone - m_rows.begin()));
            }
        }
        job = takeJob(item.job);
        found = std::ranges::find_if(m_rows, isItem);
    }
    if (found == m_rows.end()) {
        beginInsertRows({}, rowCount(), rowCount());
        m_rows.append({std::move(job), source, item});
        return endInsertRows();
    }
    if (found->item == item && found->job == job) return;
    found->item = item;
    found->job = std::move(job);
    showRow(static_cast<int>(found - m_rows.begin()));
}

void JobsModel::update(WorkSource* source) {
    const QList<WorkItem> items = source->items();
    for (int row = rowCount() - 1; row >= 0; --row)
        if (m_rows[row].source == source && std::ranges::find(items, m_rows[row].item.id, &WorkItem::id) == items.end())
            removeRow(row);
    for (const WorkItem& item : items) place(source, item);
    Q_EMIT countsChanged();
}

void JobsModel::update(const Job* job) {
    const auto found = std::ranges::find_if(m_rows, [job](const Row& row) { return row.job.get() == job; });
    if (found != m_rows.end()) showRow(static_cast<int>(found - m_rows.begin()));
}

WorkItem JobsModel::work(int at) const {
    if (at < 0 || at >= m_rows.size()) return {};
    const Row& row = m_rows[at];
    WorkItem work = row.item;
    const Job* const job = row.job.get();
    if (!job) return work;
    const bool isAlone = row.source == nullptr;
    if (isAlone || !job->isFinished()) {
        work.state = jobWorkState(*job);
        work.permille = jobPermille(*job);
    }
    if (!isAlone) return work;
    const bool isActive = !job->isFinished() && !job->isStopping();
    work.title = job->title();
    work.reason = job->failure();
    work.canPause = isActive && work.state == WorkState::Running;
    work.canResume = isActive && work.state == WorkState::Paused;
    work.canCancel = isActive;
    work.canRemove = job->isFinished();
    return work;
}

int JobsModel::currentRow() const {
    for (int row = 0; row < rowCount(); ++row)
        if (work(row).state == WorkState::Running) return row;
    return -1;
}

int JobsModel::unfinishedCount() const {
    return static_cast<int>(std::ranges::count_if(m_rows, [](const Row& row) { return row.job && !row.job->isFinished(); }));
}

int JobsModel::activeCount() const {
    return static_cast<int>(std::ranges::count_if(
        m_rows, [](const Row& row) { return row.job && !row.job->isFinished() && row.job->state() != JobState::Paused; }));
}

int JobsModel::pausedCount() const {
    int count = 0;
    for (int row = 0; row < rowCount(); ++row) count += work(row).state == WorkState::Paused;
    return count;
}

int JobsModel::waitingCount() const {
    return static_cast<int>(std::ranges::count_if(m_rows, [](const Row& row) {
        const bool waits = row.item.state == WorkState::Interrupted || row.item.state == WorkState::Paused;
        return row.source && !row.job && waits && row.item.canResume;
    }));
}

void JobsModel::pause(int at) {
    if (!work(at).canPause) return;
    if (const Row row = m_rows[at]; row.source) row.source->pause(row.item.id);
    else row.job->setPaused(true);
}

void JobsModel::resume(int at) {
    if (!work(at).canResume) return;
    if (const Row row = m_rows[at]; row.source) row.source->resume(row.item.id);
    else row.job->setPaused(false);
}

void JobsModel::cancel(int at) {
    if (!work(at).canCancel) return;
    if (const Row row = m_rows[at]; row.source) row.source->cancel(row.item.id);
    else row.job->cancelByUser();
}

void JobsModel::remove(int at) {
    if (!work(at).canRemove) return;
    if (const Row row = m_rows[at]; row.source) row.source->remove(row.item.id);
    else removeRow(at);
    Q_EMIT countsChanged();
}

int JobsModel::move(int at, int places) {
    const WorkItem item = work(at);
    if (places < 0 ? !item.canMoveUp : !item.canMoveDown) return at;
    WorkSource* const source = m_rows[at].source;
    int to = at + places;
    const auto isPlace = [&](const Row& row) { return row.source == source && (row.item.canMoveUp || row.item.canMoveDown); };
    while (to >= 0 && to < rowCount() && !isPlace(m_rows[to])) to += places;
    if (to < 0 || to >= rowCount()) return at;
    beginMoveRows({}, at, at, {}, places < 0 ? to : to + 1);
    m_rows.move(at, to);
    endMoveRows();
    source->move(item.id, places);
    return to;
}

void JobsModel::addCommands(QMenu* menu, int row) const {
    if (row < 0)
        for (WorkSource* source : m_sources) source->addCommands(menu, {});
    else if (row < rowCount() && m_rows[row].source) m_rows[row].source->addCommands(menu, m_rows[row].item.id);
}

void JobsModel::refresh() {
    for (WorkSource* source : std::as_const(m_sources)) source->refresh();
}

void JobsModel::clearFinished() {
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (row < rowCount() && isClearable(row)) remove(row); // a source may remove several
    }
}

// What failed in a tab stays: it can be resumed there.
bool JobsModel::isClearable(int row) const {
    const WorkItem shown = work(row);
    return shown.canRemove && (shown.state == WorkState::Done || !m_rows[row].source);
}

bool JobsModel::canClear() const {
    for (int row = 0; row < rowCount(); ++row)
        if (isClearable(row)) return true;
    return false;
}

void JobsModel::retranslate() {
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    for (Row& row : m_rows)
        if (row.source)
            for (const WorkItem& item : row.source->items())
                if (item.id == row.item.id) row.item = item;
    if (!m_rows.isEmpty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int JobsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

int JobsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString JobsModel::cellText(const Row& row, int column) const {
    const WorkItem shown = work(static_cast<int>(&row - m_rows.data()));
    const Job* const job = row.job && !row.job->isFinished() ? row.job.get() : nullptr;
    switch (column) {
    case Title: return shown.title;
    case State: return job && job->isStopping() ? tr("Canceling…") : stateText(shown.state);
    case Progress: return shown.permille < 0 ? QString() : tr("%1%").arg(shown.permille / 10);
    case Size: return shown.bytes > 0 ? fileSizeText(shown.bytes) : QString();
    case Speed: return job ? speedText(job->unitsPerSecond()) : QString();
    case TimeLeft: return job && job->secondsLeft() >= 0 ? durationText(job->secondsLeft()) : QString();
    default: return {};
    }
}

QVariant JobsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = m_rows[index.row()];
    const bool isNumber = index.column() >= Progress;
    switch (role) {
    case Qt::DisplayRole: return cellText(row, index.column());
    case Qt::ToolTipRole: {
        const WorkItem shown = work(index.row());
        return plainText(shown.reason.isEmpty() ? shown.title : shown.reason);
    }
    case Qt::FontRole: return isNumber ? QVariant(numberFont()) : QVariant();
    case Qt::TextAlignmentRole: return isNumber ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case PermilleRole: return work(index.row()).permille;
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
    case Size: return tr("Size");
    case Speed: return tr("Speed");
    case TimeLeft: return tr("Time left");
    default: return {};
    }
}

} // namespace wb::ui
