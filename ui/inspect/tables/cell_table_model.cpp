// SPDX-License-Identifier: MIT
#include "ui/inspect/tables/cell_table_model.h"

#include "ui/inspect/tensors/tensor_table_model.h"
#include "ui/widgets/plain_text.h"

namespace wb::ui::inspect {
namespace {

constexpr qsizetype mayBeCut = 20; // characters of a cell; what is longer is described in whole

QVariant orNothing(const QString& text) { return text.isEmpty() ? QVariant() : QVariant(text); }

QVariant alignment(bool number) { return QVariant::fromValue((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter); }

} // namespace

void CellTableModel::setTable(QStringList headers, std::vector<std::vector<Cell>> rows) {
    beginResetModel();
    m_headers = std::move(headers);
    m_rows = std::move(rows);
    endResetModel();
}

int CellTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

int CellTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_headers.size());
}

QVariant CellTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Cell& at = cell(index.row(), index.column());
    switch (role) {
    case Qt::DisplayRole: return at.shown;
    case ExactRole: return at.exact.isEmpty() ? at.shown : at.exact;
    case Qt::ToolTipRole: return orNothing(plainText(at.toolTip.isEmpty() && at.shown.size() > mayBeCut ? at.shown : at.toolTip));
    case Qt::TextAlignmentRole: return alignment(at.number);
    case SeriesRole: return at.series ? QVariant(static_cast<uint>(*at.series)) : QVariant();
    case SeverityRole: return at.severity ? QVariant(static_cast<int>(*at.severity)) : QVariant();
    case ShareRole: return at.share >= 0 ? QVariant(at.share) : QVariant();
    case TensorRole: return at.tensor >= 0 ? QVariant(static_cast<uint>(at.tensor)) : QVariant();
    default: return {};
    }
}

QVariant CellTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= m_headers.size()) return {};
    if (role == Qt::DisplayRole) return m_headers[section];
    if (role == Qt::TextAlignmentRole) return alignment(!m_rows.empty() && cell(0, section).number);
    return {};
}

} // namespace wb::ui::inspect
