// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/convert/weights_plan.h"

#include <QAbstractTableModel>

namespace wb::ui::convert {

// The tensors of a plan to write weights, a row each, with what each is made of.
class WeightsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, ShapeColumn, From, To, Bytes, SourceColumn, TransformColumn, File, columns };

    using QAbstractTableModel::QAbstractTableModel;

    void setPlan(std::shared_ptr<const conversion::WeightsPlan> plan); // null: no rows

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString shown(int row, int column) const;
    static QString transformText(const std::string& transform);

    std::shared_ptr<const conversion::WeightsPlan> m_plan;
};

} // namespace wb::ui::convert
