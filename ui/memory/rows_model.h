// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractTableModel>
#include <QColor>

#include <vector>

namespace wb::ui::memory {

// A cell: what it shows and what it is sorted by.
struct Cell {
    QString text;
    QVariant key = {}; // empty: the text
    QColor color = {}; // of the mark before it; invalid: none
    bool isNumber = false;
};
using CellRow = std::vector<Cell>;

inline constexpr int KeyRole = Qt::UserRole;

// A table whose rows are made again whenever an estimate changes.
class RowsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setTitles(const QStringList& titles); // as many as the cells of a row
    void setRows(std::vector<CellRow> rows);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QStringList m_titles;
    std::vector<CellRow> m_rows;
};

} // namespace wb::ui::memory
