// SPDX-License-Identifier: MIT
#include "ui/inspect/compare/comparison_model.h"

#include "ui/inspect/tensors/tensor_table_model.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/translated.h"

#include <QLocale>

#include <algorithm>
#include <limits>

namespace wb::ui::inspect {
namespace {

QString namesText(const std::vector<std::string>& names) {
    if (names.size() == 1) return text(names.front());
    return ComparisonModel::tr("%1 and %n more", nullptr, static_cast<int>(names.size()) - 1).arg(text(names.front()));
}

QString stateText(ComparisonModel::State state) {
    switch (state) {
    case ComparisonModel::State::Equal: return ComparisonModel::tr("equal");
    case ComparisonModel::State::Different: return ComparisonModel::tr("different");
    case ComparisonModel::State::Unread: return ComparisonModel::tr("cannot be read");
    case ComparisonModel::State::OnlyA: return ComparisonModel::tr("only in A");
    case ComparisonModel::State::OnlyB: return ComparisonModel::tr("only in B");
    }
    return {};
}

QString mappingWord(diff::Mapping mapping) {
    using enum diff::Mapping;
    switch (mapping) {
    case Same: return ComparisonModel::tr("same");
    case Cast: return ComparisonModel::tr("cast");
    case Dequantized: return ComparisonModel::tr("dequantized");
    case Transposed: return ComparisonModel::tr("transposed");
    case Axes: return ComparisonModel::tr("axes reordered");
    case Permuted: return ComparisonModel::tr("rows permuted");
    case Reshaped: return ComparisonModel::tr("reshaped");
    case Stacked: return ComparisonModel::tr("stacked");
    case Split: return ComparisonModel::tr("split");
    case Fused: return ComparisonModel::tr("fused");
    case Folded: return ComparisonModel::tr("normalization folded");
    case Shifted: return ComparisonModel::tr("plus one");
    case Negexp: return ComparisonModel::tr("negative exponential");
    case Tied: return ComparisonModel::tr("tied");
    case Padded: return ComparisonModel::tr("padded");
    case Scaled: return ComparisonModel::tr("scaled");
    case Guess: break;
    }
    return ComparisonModel::tr("guess");
}

// "cast + padded": documents have the words of core/diff/mapping.h.
QString mappingWords(const diff::Mappings& mappings) {
    QStringList words;
    for (const diff::Mapping mapping : mappings) words << mappingWord(mapping);
    return words.isEmpty() ? mappingWord(diff::Mapping::Same) : words.join(QStringLiteral(" + "));
}

QString allNames(const std::vector<std::string>& names) {
    constexpr std::size_t most = 20;
    QStringList lines;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i) lines << text(names[i]);
    if (names.size() > most) lines << QStringLiteral("…");
    return lines.join(u'\n');
}

} // namespace

void ComparisonModel::setComparison(std::shared_ptr<const diff::Comparison> comparison) {
    beginResetModel();
    m_comparison = std::move(comparison);
    endResetModel();
}

int ComparisonModel::rowCount(const QModelIndex& parent) const {
    if (parent.isValid() || !m_comparison) return 0;
    return static_cast<int>(m_comparison->pairs.size() + m_comparison->onlyA.size() + m_comparison->onlyB.size());
}

int ComparisonModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

std::optional<std::size_t> ComparisonModel::pair(int row) const {
    const auto index = static_cast<std::size_t>(row);
    return row >= 0 && m_comparison && index < m_comparison->pairs.size() ? std::optional(index) : std::nullopt;
}

const diff::Pair* ComparisonModel::pairAt(int row) const {
    const auto index = pair(row);
    return index ? &m_comparison->pairs[*index] : nullptr;
}

ComparisonModel::State ComparisonModel::state(int row) const {
    if (const diff::Pair* const pair = pairAt(row))
        return pair->failure ? State::Unread : pair->isEqual ? State::Equal : State::Different;
    return static_cast<std::size_t>(row) < m_comparison->pairs.size() + m_comparison->onlyA.size() ? State::OnlyA : State::OnlyB;
}

std::string ComparisonModel::nameA(int row) const {
    if (const diff::Pair* const pair = pairAt(row)) return pair->a.front();
    return state(row) == State::OnlyA ? m_comparison->onlyA[static_cast<std::size_t>(row) - m_comparison->pairs.size()]
                                      : std::string();
}

std::string ComparisonModel::nameB(int row) const {
    if (const diff::Pair* const pair = pairAt(row)) return pair->b.front();
    return state(row) == State::OnlyB
               ? m_comparison->onlyB[static_cast<std::size_t>(row) - m_comparison->pairs.size() - m_comparison->onlyA.size()]
               : std::string();
}

double ComparisonModel::error(int row) const {
    const diff::Pair* const pair = pairAt(row);
    return pair ? diff::pairError(*pair) : -1;
}

std::optional<double> ComparisonModel::number(int row, int column) const {
    const diff::Pair* const pair = pairAt(row);
    if (!pair) return std::nullopt;
    if (column == Elements) return static_cast<double>(pair->elements);
    if (!pair->measures) return std::nullopt;
    switch (column) {
    case Changed: return pair->measures->changedShare();
    case RelativeError: return pair->measures->relRmse;
    case Snr: return pair->measures->snrDb;
    case Cosine: return pair->measures->cosine;
    case Rmse: return pair->measures->rmse;
    case MaxError: return pair->measures->maxAbs;
    default: return std::nullopt;
    }
}

QString ComparisonModel::shown(int row, int column) const {
    const diff::Pair* const pair = pairAt(row);
    switch (column) {
    case A: return pair ? namesText(pair->a) : text(nameA(row));
    case B: return pair ? namesText(pair->b) : text(nameB(row));
    case Result: return stateText(state(row));
    case Mapping: return pair ? mappingWords(pair->mapping) : QString();
    default: break;
    }
    const auto value = number(row, column);
    if (!value) return pair ? QStringLiteral("–") : QString();
    switch (column) {
    case Elements: return shownCount(static_cast<quint64>(*value));
    case Changed:
    case RelativeError: return shownPercent(*value);
    case Snr: return std::isinf(*value) ? tr("exact") : QLocale().toString(*value, 'f', 2);
    default: return shownNumber(*value);
    }
}

QString ComparisonModel::toolTip(int row) const {
    const diff::Pair* const pair = pairAt(row);
    if (!pair) return text(nameA(row) + nameB(row));
    QString lines = QStringLiteral("A: %1\nB: %2").arg(allNames(pair->a), allNames(pair->b));
    if (pair->failure) lines += u'\n' + translated(*pair->failure);
    return lines;
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto value = number(index.row(), index.column());
    switch (role) {
    case Qt::DisplayRole: return shown(index.row(), index.column());
    case ExactRole: return value ? exactNumber(*value) : shown(index.row(), index.column());
    case Qt::ToolTipRole: return plainText(toolTip(index.row()));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((index.column() >= Changed ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case SeverityRole: // the square next to the result
        if (index.column() != Result) return {};
        switch (state(index.row())) {
        case State::Equal: return {};
        case State::Unread: return static_cast<int>(Severity::Error);
        case State::Different: return static_cast<int>(Severity::Warning);
        default: return static_cast<int>(Severity::Note);
        }
    case SortRole:
        if (index.column() == RelativeError) return error(index.row()); // what cannot be read comes first, as in `wb diff`
        if (index.column() < Changed) return shown(index.row(), index.column());
        return value.value_or(-std::numeric_limits<double>::max());
    default: return {};
    }
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section >= Changed ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case Mapping: return tr("How the values of A become those of B's layout");
        case Changed: return tr("Share of elements whose bits differ");
        case RelativeError: return tr("Root mean squared error divided by the root mean square of A");
        case Snr: return tr("Signal-to-noise ratio in dB; exact without any error");
        case Cosine: return tr("Cosine similarity of both tensors");
        default: return {};
        }
    }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case A: return tr("Tensor of A");
    case B: return tr("Tensor of B");
    case Result: return tr("Result");
    case Mapping: return tr("Mapping");
    case Changed: return tr("Changed");
    case RelativeError: return tr("Relative error");
    case Snr: return tr("SNR (dB)");
    case Cosine: return tr("Cosine similarity");
    case Rmse: return tr("RMSE");
    case MaxError: return tr("Max error");
    case Elements: return tr("Elements");
    default: return {};
    }
}

ComparisonFilter::ComparisonFilter(ComparisonModel* model, QObject* parent) : QSortFilterProxyModel(parent), m_model(model) {
    setSortRole(ComparisonModel::SortRole);
    setSourceModel(model);
}

void ComparisonFilter::setWords(const QString& words) {
    m_words = words.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

void ComparisonFilter::setShown(Shown shown) {
    m_shown = shown;
    invalidateFilter();
}

bool ComparisonFilter::filterAcceptsRow(int row, const QModelIndex&) const {
    using State = ComparisonModel::State;
    const State state = m_model->state(row);
    const bool isShown = m_shown == Shown::All || (m_shown == Shown::Equal && state == State::Equal) ||
                         (m_shown == Shown::Different && (state == State::Different || state == State::Unread)) ||
                         (m_shown == Shown::OnlyA && state == State::OnlyA) || (m_shown == Shown::OnlyB && state == State::OnlyB);
    if (!isShown || m_words.isEmpty()) return isShown;
    const QString names = m_model->index(row, ComparisonModel::A).data().toString() + u' ' +
                          m_model->index(row, ComparisonModel::B).data().toString();
    return std::ranges::all_of(m_words, [&](const QString& word) { return names.contains(word, Qt::CaseInsensitive); });
}

} // namespace wb::ui::inspect
