// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace wb::ui::inspect {

// One prepared cell of a small table.
struct Cell {
    QString shown;
    QString exact; // what is copied; empty: as shown
    QString toolTip;
    bool number = false; // right-aligned
    // A small square before the text: in the color of a series, or of a severity.
    std::optional<std::size_t> series;
    std::optional<Severity> severity;
    double share = -1; // a bar of this length in [0, 1], where not negative
    int tensor = -1;   // the tensor the row is for, where it stands for one
};

// A table of cells made beforehand: statistics of one tensor, totals, problems. For tables of hundreds of rows, not of thousands.
class CellTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setTable(QStringList headers, std::vector<std::vector<Cell>> rows); // resets; every row has a cell a header
    const Cell& cell(int row, int column) const { return m_rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QStringList m_headers;
    std::vector<std::vector<Cell>> m_rows;
};

} // namespace wb::ui::inspect
