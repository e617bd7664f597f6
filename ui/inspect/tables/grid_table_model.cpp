// SPDX-License-Identifier: MIT
#include "ui/inspect/tables/grid_table_model.h"

#include "ui/widgets/numbers.h"
#include "ui/inspect/tensors/tensor_table_model.h"

#include <algorithm>
#include <limits>

namespace wb::ui::inspect {

void GridTableModel::setGrid(std::shared_ptr<const stats::MapGrid> grid, const stats::MatrixRegion& seen, MapStatistic statistic) {
    beginResetModel();
    m_grid = std::move(grid);
    m_statistic = statistic;
    m_rows = m_columns = 0;
    if (m_grid && seen.rows > 0 && seen.columns > 0) {
        const auto range = [cell = m_grid->cell](std::uint64_t first, std::uint64_t count, std::uint64_t origin,
                                                 std::uint64_t cells) {
            const std::uint64_t begin = first < origin ? 0 : (first - origin) / cell;
            const std::uint64_t end = std::min(cells, first + count < origin ? 0 : (first + count - origin + cell - 1) / cell);
            return std::pair(
                begin, static_cast<int>(std::min<std::uint64_t>(end > begin ? end - begin : 0, std::numeric_limits<int>::max())));
        };
        std::tie(m_row, m_rows) = range(seen.row, seen.rows, m_grid->region.row, m_grid->rows());
        std::tie(m_column, m_columns) = range(seen.column, seen.columns, m_grid->region.column, m_grid->columns());
    }
    endResetModel();
}

int GridTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_rows; }

int GridTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_columns; }

QVariant GridTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != ExactRole) return {};
    const std::uint64_t at = (m_row + static_cast<std::uint64_t>(index.row())) * m_grid->columns() + m_column +
                             static_cast<std::uint64_t>(index.column());
    const double value = double{cellValue(*m_grid, at, m_statistic)};
    return role == Qt::DisplayRole ? shownNumber(value) : exactNumber(value);
}

QVariant GridTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || !m_grid) return {};
    const bool isColumn = orientation == Qt::Horizontal;
    const std::uint64_t origin = isColumn ? m_grid->region.column : m_grid->region.row;
    return QString::number(origin + ((isColumn ? m_column : m_row) + static_cast<std::uint64_t>(section)) * m_grid->cell);
}

QString GridTableModel::asText(std::uint64_t maxCells) const {
    if (static_cast<std::uint64_t>(m_rows) * static_cast<std::uint64_t>(m_columns) > maxCells) return {};
    QString text;
    for (int column = 0; column < m_columns; ++column)
        text += QLatin1Char('\t') + headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    text += QLatin1Char('\n');
    for (int row = 0; row < m_rows; ++row) {
        text += headerData(row, Qt::Vertical, Qt::DisplayRole).toString();
        for (int column = 0; column < m_columns; ++column)
            text += QLatin1Char('\t') + index(row, column).data(ExactRole).toString();
        text += QLatin1Char('\n');
    }
    return text;
}

} // namespace wb::ui::inspect
