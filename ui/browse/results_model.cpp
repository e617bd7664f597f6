// SPDX-License-Identifier: MIT
#include "ui/browse/results_model.h"

#include "core/hub/variants.h"
#include "ui/shell/services/local_models.h"
#include "ui/widgets/tables/fit_words.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/plain_text.h"

#include <QDateTime>
#include <QLocale>

namespace wb::ui::browse {

using namespace wb::hub;

namespace {

const QString unknown = QStringLiteral("–");

bool isNumber(int column) {
    return column == ResultsModel::Parameters || column == ResultsModel::Downloads || column == ResultsModel::Likes;
}

} // namespace

QString dateText(const std::string& iso) {
    const QDateTime time = QDateTime::fromString(ui::text(iso), Qt::ISODate);
    return time.isValid() ? QLocale().toString(time.date(), QLocale::ShortFormat) : ui::text(iso);
}

ResultsModel::ResultsModel(BrowseSession& session, LocalModels* local, QObject* parent)
    : QAbstractTableModel(parent), m_session(session) {
    if (local) {
        connect(local, &LocalModels::changed, this, [this, local] { showDownloaded(*local); });
        showDownloaded(*local);
    }
    connect(&session, &BrowseSession::cleared, this, [this] {
        beginResetModel();
        m_rows = 0;
        endResetModel();
    });
    connect(&session, &BrowseSession::rowAboutToBeAdded, this, [this](int row) { beginInsertRows({}, row, row); });
    connect(&session, &BrowseSession::memoriesKnown, this, [this] {
        if (m_rows > 0) emit dataChanged(index(0, Fit), index(m_rows - 1, Fit));
    });
    connect(&session, &BrowseSession::rowAdded, this, [this] {
        ++m_rows;
        endInsertRows();
    });
}

const ModelRow* ResultsModel::row(int row) const {
    return row >= 0 && row < m_rows ? &m_session.rows()[static_cast<std::size_t>(row)] : nullptr;
}

// By the type that people take most; the page of a model judges each of its files.
std::uint64_t ResultsModel::neededBytes(const ModelRow& row) {
    constexpr double bitsPerWeight = 4.85; // of Q4_K_M
    return roughNeed(static_cast<std::uint64_t>(static_cast<double>(row.parameters.value_or(0)) * bitsPerWeight / 8));
}

std::optional<memory::Verdict> ResultsModel::fitVerdict(const ModelRow& row) const {
    if (!row.parameters || m_session.memories().empty()) return std::nullopt;
    const std::uint64_t need = neededBytes(row);
    memory::Verdict best = memory::Verdict::No;
    for (const memory::Memory& memory : m_session.memories()) best = std::min(best, memory::judge(need, need / 10, memory));
    return best;
}

void ResultsModel::showDownloaded(const LocalModels& local) {
    m_downloaded.clear();
    for (const LocalModel& model : local.models())
        if (const auto& origin = model.entry.origin) m_downloaded.insert(ui::text(origin->hub + ':' + origin->id));
    if (m_rows > 0) emit dataChanged(index(0, Name), index(m_rows - 1, Name));
}

bool ResultsModel::isDownloaded(const ModelRow& row) const {
    return m_downloaded.contains(ui::text(std::string(shortName(row.hub)) + ':' + row.id));
}

void ResultsModel::retranslate() {
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (m_rows > 0) emit dataChanged(index(0, 0), index(m_rows - 1, ColumnCount - 1));
}

int ResultsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_rows; }

int ResultsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

bool ResultsModel::canFetchMore(const QModelIndex& parent) const { return !parent.isValid() && m_rows > 0 && m_session.hasMore(); }

void ResultsModel::fetchMore(const QModelIndex& parent) {
    if (!parent.isValid()) m_session.askForMore();
}

QString ResultsModel::text(const ModelRow& row, int column) const {
    const auto orDash = [](const std::string& value) { return value.empty() ? unknown : ui::text(value); };
    switch (column) {
    case Name: {
        const bool isPartOfId = row.name.empty() || row.id == row.name || row.id.ends_with('/' + row.name);
        return isPartOfId ? ui::text(row.id) : QStringLiteral("%1 (%2)").arg(ui::text(row.id), ui::text(row.name));
    }
    case HubName: return QLatin1String(fullName(row.hub));
    case Parameters: return row.parameters ? shownShortCount(*row.parameters) : unknown;
    case Fit: {
        const auto verdict = fitVerdict(row);
        return verdict ? fitWord(*verdict) : unknown;
    }
    case Task: return orDash(row.task);
    case Licence: return orDash(row.licence);
    case Downloads: return shownShortCount(row.downloads);
    case Likes: return shownShortCount(row.likes);
    case Updated: return row.updated.empty() ? unknown : dateText(row.updated);
    default: return {};
    }
}

QVariant ResultsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const ModelRow& shown = *row(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(shown, column);
    case Qt::AccessibleDescriptionRole: return column == Name && isDownloaded(shown) ? tr("Downloaded") : QVariant();
    case Qt::TextAlignmentRole: return QVariant(Qt::AlignVCenter | (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ToolTipRole: {
        if (column == Fit && fitVerdict(shown))
            return tr("As Q4_K_M it needs about %1 with cache and buffers").arg(bytesText(neededBytes(shown)));
        QString tip = plainText(ui::text(shown.id));
        if (isDownloaded(shown)) tip += QStringLiteral("<br>") + tr("Downloaded: files of this model are on this computer.");
        if (shown.gate != Gate::Open)
            tip += QStringLiteral("<br>") + tr("Gated model: you need an account and must accept the author's terms.");
        return tip;
    }
    case Qt::DecorationRole:
        if (column != Name) return {};
        if (isDownloaded(shown)) return icon(QStringLiteral("check"));
        return icon(shown.gate == Gate::Open ? QStringLiteral("file") : QStringLiteral("warning"));
    default: return {};
    }
}

QVariant ResultsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Name: return tr("Model");
    case HubName: return tr("Hub");
    case Parameters: return tr("Parameters");
    case Fit: return tr("Fit");
    case Task: return tr("Task");
    case Licence: return tr("License");
    case Downloads: return tr("Downloads");
    case Likes: return tr("Likes");
    case Updated: return tr("Updated");
    default: return {};
    }
}

} // namespace wb::ui::browse
