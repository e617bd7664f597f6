// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/whatif/what_if.h"

#include <QAbstractTableModel>

namespace wb::ui::inspect {

// What one tensor would be as each type: a row a type, filled as the answers come.
class WhatIfModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Type, Bits, Size, Relative, Weighted, Snr, Rmse, MaxError, Cosine, Rows, columns };
    static constexpr int SortRole = Qt::UserRole + 40;

    using QAbstractTableModel::QAbstractTableModel;

    void setTypes(const std::vector<Dtype>& types, Dtype own, std::uint64_t tensorRows,
                  std::uint64_t rowLength); // nothing is computed yet
    void setResult(const quant::WhatIf& result);
    void giveUp(); // missing values will not be computed
    Dtype typeAt(int row) const { return m_rows[static_cast<std::size_t>(row)].type; }
    const quant::WhatIf* resultAt(int row) const; // null: not known yet

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        Dtype type;
        std::optional<quant::WhatIf> result;
    };
    std::optional<double> number(const Row& row, int column) const;
    QString shown(const Row& row, int column) const;

    std::vector<Row> m_rows;
    bool m_isWaiting = true; // for unknown values
    Dtype m_own = Dtype::Unknown;
    std::uint64_t m_tensorRows = 0;
    std::uint64_t m_rowLength = 1;
};

} // namespace wb::ui::inspect
