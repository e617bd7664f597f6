// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/convert/convert_plan.h"

#include <QAbstractTableModel>

namespace wb::ui::convert {

// The pairs of the file that a folder is converted into, a row each, in file order, with where each comes from.
class PairsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Key, Value, Type, OriginColumn, columns };

    using QAbstractTableModel::QAbstractTableModel;

    // `written` is the model that the plan makes (its values); both null: no rows.
    void setPlan(std::shared_ptr<const conversion::ConvertPlan> plan, ModelPtr written);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString shown(int row, int column) const;

    std::shared_ptr<const conversion::ConvertPlan> m_plan;
    ModelPtr m_written;
};

} // namespace wb::ui::convert
