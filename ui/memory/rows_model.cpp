// SPDX-License-Identifier: MIT
#include "ui/memory/rows_model.h"

namespace wb::ui::memory {

void RowsModel::setTitles(const QStringList& titles) {
    beginResetModel();
    m_titles = titles;
    m_rows.clear();
    endResetModel();
}

void RowsModel::setRows(std::vector<CellRow> rows) {
    const bool isSameSize = rows.size() == m_rows.size();
    if (!isSameSize) beginResetModel();
    m_rows = std::move(rows);
    if (!isSameSize) endResetModel();
    else if (!m_rows.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int RowsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

int RowsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_titles.size()); }

QVariant RowsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const CellRow& row = m_rows[static_cast<std::size_t>(index.row())];
    if (static_cast<std::size_t>(index.column()) >= row.size()) return {};
    const Cell& cell = row[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: return cell.text;
    case KeyRole: return cell.key.isValid() ? cell.key : QVariant(cell.text);
    case Qt::DecorationRole: return cell.color.isValid() ? QVariant(cell.color) : QVariant();
    case Qt::TextAlignmentRole: return QVariant(Qt::AlignVCenter | (cell.isNumber ? Qt::AlignRight : Qt::AlignLeft));
    default: return {};
    }
}

QVariant RowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= m_titles.size()) return {};
    if (role == Qt::DisplayRole) return m_titles[section];
    if (role != Qt::TextAlignmentRole) return {};
    const bool isNumber = !m_rows.empty() && static_cast<std::size_t>(section) < m_rows.front().size() &&
                          m_rows.front()[static_cast<std::size_t>(section)].isNumber;
    return QVariant(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft));
}

} // namespace wb::ui::memory
