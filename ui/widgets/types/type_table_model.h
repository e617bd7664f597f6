// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/types/type_row.h"

#include <QAbstractTableModel>

#include <vector>

namespace wb::ui {

// The one table of types, with one name and one form for each number. Inspect, Convert and Memory show the columns that they have
// numbers for (TypeTableView).
class TypeTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Type, Bits, Size, Error, Weighted, Snr, Rmse, MaxError, Cosine, Rows, Plain, WithMatrix, Need, Fit, columns };
    enum Role {
        SortRole = Qt::UserRole, // numbers; those that are not known are last
        ExactRole,               // the cell as it is copied: exact, without locale
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<TypeRow> rows); // the same types keep their selection
    const TypeRow& typeRow(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    void retranslate(); // the titles; the cells are renewed with the rows

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<TypeRow> m_rows;
};

} // namespace wb::ui
