// SPDX-License-Identifier: MIT
#include "ui/library/library_model.h"

#include "core/library/filter.h"
#include "ui/widgets/tables/fit_words.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/plain_text.h"

#include <QDateTime>
#include <QLocale>

namespace wb::ui::library {

using namespace wb::library;

namespace {

const QString unknown = QStringLiteral("–");

QString orDash(const std::string& value) { return value.empty() ? unknown : ui::text(value); }

QString countOrDash(std::uint64_t value) { return value == 0 ? unknown : shownCount(value); }

QString dateText(std::int64_t seconds) {
    return seconds == 0 ? unknown : QLocale().toString(QDateTime::fromSecsSinceEpoch(seconds).date(), QLocale::ShortFormat);
}

} // namespace

QString storeText(const wb::library::Store& store) {
    const QString owner = QString::fromLatin1(ownerName(store.kind));
    return owner.isEmpty() ? shortPath(qtPath(store.path)) : owner;
}

void LibraryModel::setListing(ListingPtr listing) {
    beginResetModel();
    m_listing = std::move(listing);
    m_searched.clear();
    if (m_listing)
        for (const Entry& entry : m_listing->entries)
            m_searched.push_back(wb::library::searchText(entry, m_listing->stores[entry.store].store));
    endResetModel();
}

void LibraryModel::setChecks(const Checks& checks) {
    m_checks = checks;
    if (rowCount() > 0) emit dataChanged(index(0, Fits), index(rowCount() - 1, Fits));
}

void LibraryModel::retranslate() {
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

const Entry* LibraryModel::entry(int row) const {
    return m_listing && row >= 0 && row < rowCount() ? &m_listing->entries[static_cast<std::size_t>(row)] : nullptr;
}

int LibraryModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_listing ? 0 : static_cast<int>(m_listing->entries.size());
}

int LibraryModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString LibraryModel::text(const Entry& entry, int column) const {
    switch (column) {
    case Name: return ui::text(entry.name);
    case Family: return orDash(entry.facts.architecture);
    case Parameters: return entry.facts.parameters == 0 ? unknown : shownShortCount(entry.facts.parameters);
    case Type: return orDash(entry.facts.quant);
    case Context: return countOrDash(entry.facts.context);
    case Size: return fileSizeText(entry.bytes());
    case Fits: return runText(entry);
    case Store: return storeText(m_listing->stores[entry.store].store);
    case LastUsed: return dateText(entry.lastUsed());
    default: return {};
    }
}

QVariant LibraryModel::key(const Entry& entry, int column) const {
    switch (column) {
    case Parameters: return static_cast<qulonglong>(entry.facts.parameters);
    case Context: return static_cast<qulonglong>(entry.facts.context);
    case Size: return static_cast<qulonglong>(entry.bytes());
    case Fits: {
        constexpr int doesNotRun = 3, notKnown = 4; // after the verdicts
        const wb::infer::RunCheck* run = check(entry);
        if (!run) return entry.facts.isDamaged ? doesNotRun : notKnown;
        return run->runs() && run->fit ? static_cast<int>(run->fit->verdict) : doesNotRun;
    }
    case LastUsed: return static_cast<qlonglong>(entry.lastUsed());
    default: return text(entry, column);
    }
}

QString LibraryModel::toolTip(const Entry& entry) const {
    QStringList lines = {plainText(ui::text(entry.id))};
    if (entry.facts.isDamaged) lines << tr("The file is damaged or incomplete. Verify it to see the reason.");
    if (!entry.duplicates.empty()) lines << tr("%n identical model(s).", nullptr, static_cast<int>(entry.duplicates.size()));
    return lines.join(QStringLiteral("<br>"));
}

const wb::infer::RunCheck* LibraryModel::check(const Entry& entry) const {
    const auto found = m_checks.find(entry.id);
    return found == m_checks.end() ? nullptr : &found->second;
}

// A damaged model is detected before it is checked.
QString LibraryModel::runText(const Entry& entry) const {
    if (entry.facts.isDamaged) return tr("damaged");
    const wb::infer::RunCheck* run = check(entry);
    return run ? runWord(*run) : unknown;
}

QString LibraryModel::runSentence(const Entry& entry) const {
    const wb::infer::RunCheck* run = check(entry);
    return run ? ui::runSentence(*run) : QString();
}

QVariant LibraryModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Entry& shown = *entry(index.row());
    const int column = index.column();
    const bool isNumber = column == Parameters || column == Context || column == Size;
    switch (role) {
    case Qt::DisplayRole: return text(shown, column);
    case KeyRole: return key(shown, column);
    case Qt::ToolTipRole: return column == Fits && check(shown) ? plainText(runSentence(shown)) : toolTip(shown);
    case Qt::AccessibleTextRole: return column == Fits && check(shown) ? runSentence(shown) : text(shown, column);
    case Qt::TextAlignmentRole: return QVariant(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::DecorationRole:
        if (column != Name) return {};
        return icon(shown.facts.isDamaged      ? QStringLiteral("warning")
                    : shown.duplicates.empty() ? QStringLiteral("file")
                                               : QStringLiteral("copy"));
    default: return {};
    }
}

QVariant LibraryModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter |
                        (section == Parameters || section == Context || section == Size ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Name: return tr("Model");
    case Family: return tr("Architecture");
    case Parameters: return tr("Parameters");
    case Type: return tr("Type");
    case Context: return tr("Context");
    case Size: return tr("Size");
    case Fits: return tr("Runs here");
    case Store: return tr("Location");
    case LastUsed: return tr("Last used");
    default: return {};
    }
}

LibraryProxy::LibraryProxy(LibraryModel* model, QObject* parent) : QSortFilterProxyModel(parent), m_model(model) {
    setSourceModel(model);
    setSortRole(LibraryModel::KeyRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
    setSortLocaleAware(true);
}

void LibraryProxy::setFilter(const QString& words) {
    m_words = words.toStdString();
    invalidateFilter();
}

bool LibraryProxy::filterAcceptsRow(int row, const QModelIndex&) const {
    return wb::library::matchesFilter(m_model->searchText(row), m_words);
}

} // namespace wb::ui::library
