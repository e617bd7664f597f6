// SPDX-License-Identifier: MIT
#pragma once

#include "ui/plots/map_layers.h"

#include <QAbstractTableModel>

namespace wb::ui::inspect {

// The numbers that the heat map shows now, as a table: a row and a column for each row and column of cells. Cells are made when
// they are painted.
class GridTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    // The visible part of the grid. Null: nothing.
    void setGrid(std::shared_ptr<const stats::MapGrid> grid, const stats::MatrixRegion& seen, MapStatistic statistic);

    // Everything as tab-separated lines with headers, of at most so many cells; empty where there are more.
    QString asText(std::uint64_t maxCells) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const stats::MapGrid> m_grid;
    MapStatistic m_statistic = MapStatistic::Value;
    std::uint64_t m_row = 0, m_column = 0; // cells, of the top left
    int m_rows = 0, m_columns = 0;
};

} // namespace wb::ui::inspect
