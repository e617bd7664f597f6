// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/weights/weights_plan_file.h"

#include <QAbstractTableModel>

#include <functional>

namespace wb::ui::convert {

// The tensors of a plan to write weights, a row each, with what each is made of. Names and types can be edited: the model requests
// a change of the choices and shows it once there is a new plan.
class WeightsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, ShapeColumn, From, To, Bytes, SourceColumn, TransformColumn, File, columns };

    using QAbstractTableModel::QAbstractTableModel;

    // Null: no rows. Choices for single tensors in `chosen` are bold.
    void setPlan(std::shared_ptr<const wb::convert::WeightsPlan> plan, const wb::convert::WeightsPlanFile& chosen = {});

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    void changeWanted(const std::function<void(wb::convert::WeightsPlanFile&)>& apply);

private:
    const wb::convert::PlannedWeight& planned(int row) const { return m_plan->tensors[static_cast<std::size_t>(row)]; }
    const std::string& ownName(int row) const { return m_plan->model->tensors[planned(row).source].name; } // before it is renamed
    bool isChosen(const QModelIndex& index) const;
    QString shown(int row, int column) const;

    std::shared_ptr<const wb::convert::WeightsPlan> m_plan;
    wb::convert::WeightsPlanFile m_chosen;
};

} // namespace wb::ui::convert
