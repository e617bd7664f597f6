// SPDX-License-Identifier: MIT
#include "ui/browse/downloads_model.h"

#include "core/hub/answers.h"
#include "ui/browse/sizes.h"
#include "ui/shell/jobs/jobs_model.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/plain_text.h"

#include <algorithm>

namespace wb::ui::browse {

using namespace wb::hub;

namespace {

using Is = QueuedDownload::State;

// The bar's thousandths; -1: not known.
int permille(const Downloads::Row& row) {
    if (row.run) return row.run->percent ? *row.run->percent * 10 : -1;
    if (row.queued->state == Is::Done) return 1000;
    if (row.queued->bytes == 0) return -1;
    return static_cast<int>(1000 *
                            std::min(1.0, static_cast<double>(row.queued->doneBytes) / static_cast<double>(row.queued->bytes)));
}

QString nameText(const DownloadRequest& request) {
    const QString id = ui::text(request.repository.name);
    if (request.files.size() == 1) return QStringLiteral("%1 · %2").arg(ui::text(request.files.front()).section(u'/', -1), id);
    if (request.files.empty()) return id;
    return DownloadsModel::tr("%1 · %n file(s)", nullptr, static_cast<int>(request.files.size())).arg(id);
}

bool isNumber(int column) { return column >= DownloadsModel::Progress; }

} // namespace

// The rows are few, and a reset would drop the selection at every change of the queue.
DownloadsModel::DownloadsModel(Downloads& downloads, QObject* parent) : QAbstractTableModel(parent), m_downloads(downloads) {
    connect(&downloads, &Downloads::changed, this, [this] {
        const int rows = m_downloads.rowCount();
        if (rows > m_rows) {
            beginInsertRows({}, m_rows, rows - 1);
            m_rows = rows;
            endInsertRows();
        } else if (rows < m_rows) {
            beginRemoveRows({}, rows, m_rows - 1);
            m_rows = rows;
            endRemoveRows();
        }
        if (rows > 0) emit dataChanged(index(0, 0), index(rows - 1, ColumnCount - 1));
    });
    connect(&downloads, &Downloads::rowChanged, this, [this](int row) {
        if (row < m_rows) emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
    });
    m_rows = m_downloads.rowCount();
}

void DownloadsModel::retranslate() {
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (m_rows > 0) emit dataChanged(index(0, 0), index(m_rows - 1, ColumnCount - 1));
}

int DownloadsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_rows; }

int DownloadsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

// Why one is paused, in a word or two; the whole sentence is below the list and in the tool tip.
QString DownloadsModel::blockedText(const Error& error) {
    if (error.reason == gatedModel) return tr("Terms not accepted");
    if (error.reason == noSuchRepository || error.reason == noSuchFile || error.reason == noSuchRevision) return tr("Not found");
    if (error.reason == tokenRefused) return tr("Token rejected");
    if (error.code == ErrorCode::NoSpace) return tr("Disk full");
    return tr("Stopped");
}

QString DownloadsModel::sentence(int row) const {
    const Downloads::Row shown = m_downloads.row(row);
    const bool isBlocked = shown.queued && shown.queued->state == Is::Blocked && shown.queued->error;
    return isBlocked ? translated(*shown.queued->error) : shown.request ? stateText(shown) : QString();
}

QString DownloadsModel::stateText(const Downloads::Row& row) const {
    if (!row.queued) return tr("Interrupted");
    const QueuedDownload& download = *row.queued;
    if (const auto waiting = m_downloads.waiting(download))
        return tr("Retrying in %1: %2").arg(durationText(waiting->seconds), translated(waiting->why));
    switch (download.state) {
    case Is::Queued: return m_downloads.queue().isPaused() ? tr("Paused (all downloads)") : tr("Queued");
    case Is::Running:
        if (!m_downloads.isHeldWithAll(download.id)) return tr("Downloading");
        return m_downloads.queue().isPaused() ? tr("Paused (all downloads)") : tr("Queued");
    case Is::Paused: return tr("Paused");
    case Is::Canceled: return tr("Canceled");
    case Is::Blocked: return download.error ? blockedText(*download.error) : tr("Stopped");
    case Is::Done: return tr("Done");
    }
    return {};
}

QString DownloadsModel::text(const Downloads::Row& row, int column) const {
    switch (column) {
    case Name: return nameText(*row.request);
    case State: return stateText(row);
    case Progress: {
        const int value = permille(row);
        return value < 0 ? QString() : tr("%1%").arg(value / 10);
    }
    case Size: {
        const std::uint64_t bytes = row.queued ? row.queued->bytes : 0;
        return bytes == 0 ? QString() : decimalBytes(bytes);
    }
    case Speed: return row.queued ? speedText(m_downloads.bytesPerSecond(row.queued->id)) : QString();
    default: return {};
    }
}

QVariant DownloadsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Downloads::Row row = m_downloads.row(index.row());
    if (!row.request) return {};
    switch (role) {
    case Qt::DisplayRole: return text(row, index.column());
    case Qt::ToolTipRole: return plainText(index.column() == State ? sentence(index.row()) : text(row, Name));
    case Qt::AccessibleDescriptionRole: return index.column() == State ? sentence(index.row()) : QVariant();
    case Qt::TextAlignmentRole: return isNumber(index.column()) ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case JobsModel::PermilleRole: return permille(row);
    default: return {};
    }
}

QVariant DownloadsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole && section > Progress) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Name: return tr("Download");
    case State: return tr("Status");
    case Progress: return tr("Progress");
    case Size: return tr("Size");
    case Speed: return tr("Speed");
    default: return {};
    }
}

} // namespace wb::ui::browse
