// SPDX-License-Identifier: MIT
#include "ui/widgets/types/type_table_model.h"

#include "ui/widgets/tables/fit_words.h"
#include "ui/widgets/numbers.h"

#include <QFont>
#include <QLocale>

#include <algorithm>
#include <limits>

namespace wb::ui {
namespace {

using Table = TypeTableModel;

bool isTextColumn(int column) { return column == Table::Type || column == Table::Fit; }

std::optional<double> knownNumber(double number) { return number > 0 ? std::optional(number) : std::nullopt; }

std::optional<double> columnNumber(const TypeRow& row, int column) {
    switch (column) {
    case Table::Bits: return knownNumber(row.bitsPerWeight);
    case Table::Size: return knownNumber(static_cast<double>(row.bytes));
    case Table::Error: return row.error;
    case Table::Weighted: return row.weightedError;
    case Table::Snr: return row.snr;
    case Table::Rmse: return row.rmse;
    case Table::MaxError: return row.maxError;
    case Table::Cosine: return row.cosine;
    case Table::Rows: return row.rows;
    case Table::Plain: return row.published.plain;
    case Table::WithMatrix: return row.published.weighted;
    case Table::Need: return row.need ? std::optional(static_cast<double>(*row.need)) : std::nullopt;
    default: return std::nullopt;
    }
}

bool isMeasured(int column) { return column >= Table::Error && column <= Table::Rows; }

QString shownTypeCell(const TypeRow& row, int column) {
    if (column == Table::Type) return row.name;
    if (column == Table::Snr && row.isExact) return TypeTableModel::tr("exact");
    if (column == Table::Fit) return row.fit ? fitWord(*row.fit) : QStringLiteral("–");
    const auto number = columnNumber(row, column);
    if (!number) return isMeasured(column) ? row.missing : QStringLiteral("–");
    switch (column) {
    case Table::Bits:
    case Table::Snr: return QLocale().toString(*number, 'f', 2);
    case Table::Size:
    case Table::Need: return bytesText(static_cast<quint64>(*number));
    case Table::Error:
    case Table::Weighted: return shownPercent(*number);
    case Table::Rows: return shownCount(static_cast<quint64>(*number));
    case Table::Plain:
    case Table::WithMatrix: return qualityLossText(number);
    default: return shownNumber(*number);
    }
}

QVariant typeCellTip(const TypeRow& row, int column) {
    switch (column) {
    case Table::Size: return row.bytes > 0 ? QVariant(TypeTableModel::tr("%1 bytes").arg(shownCount(row.bytes))) : QVariant();
    case Table::Plain:
    case Table::WithMatrix: return row.published ? QVariant(QString::fromLatin1(quant::publishedSource)) : QVariant();
    default: return row.mark.isEmpty() ? row.note : row.mark;
    }
}

} // namespace

void TypeTableModel::setRows(std::vector<TypeRow> rows) {
    const bool isSame = std::ranges::equal(rows, m_rows, {}, &TypeRow::name, &TypeRow::name);
    if (!isSame) beginResetModel();
    m_rows.swap(rows);
    if (!isSame) return endResetModel();
    for (int row = 0; row < rowCount(); ++row)
        if (typeRow(row) != rows[static_cast<std::size_t>(row)]) emit dataChanged(index(row, 0), index(row, columns - 1));
}

void TypeTableModel::retranslate() { emit headerDataChanged(Qt::Horizontal, 0, columns - 1); }

int TypeTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

int TypeTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant TypeTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const TypeRow& row = typeRow(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return shownTypeCell(row, column);
    case SortRole:
        if (column == Type) return row.name;
        if (column == Fit) return row.fit ? static_cast<int>(*row.fit) : std::numeric_limits<int>::max();
        return columnNumber(row, column).value_or(1e300);
    case ExactRole: {
        const auto number = columnNumber(row, column);
        return number ? exactNumber(*number) : shownTypeCell(row, column);
    }
    case Qt::TextAlignmentRole: return static_cast<int>((isTextColumn(column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole: {
        if (row.mark.isEmpty()) return {};
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    case Qt::ToolTipRole: return typeCellTip(row, column);
    default: return {};
    }
}

QVariant TypeTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((isTextColumn(section) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case Bits: return tr("Bits per weight, with scales and minimums");
        case Error: return tr("Relative RMS error, measured on these weights");
        case Weighted: return tr("Relative RMS error, weighted by the importance matrix");
        case Plain: return tr("Mean KL divergence without an importance matrix, as published for Llama 3 8B");
        case WithMatrix: return tr("Mean KL divergence with an importance matrix, as published for Llama 3 8B");
        case Need: return tr("Memory for weights, KV cache and compute buffers at run time");
        default: return {};
        }
    }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Type: return tr("Type");
    case Bits: return tr("Bits per weight");
    case Size: return tr("Size");
    case Error: return tr("Relative error");
    case Weighted: return tr("Weighted error");
    case Snr: return tr("SNR (dB)");
    case Rmse: return tr("RMSE");
    case MaxError: return tr("Max error");
    case Cosine: return tr("Cosine similarity");
    case Rows: return tr("Rows measured");
    case Plain: return tr("KLD (no imatrix)");
    case WithMatrix: return tr("KLD (imatrix)");
    case Need: return tr("Memory needed");
    case Fit: return tr("Fit");
    default: return {};
    }
}

} // namespace wb::ui
