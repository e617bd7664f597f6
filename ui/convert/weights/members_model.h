// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/weights/weights_planning.h"

#include <QAbstractTableModel>

namespace wb::ui::convert {

// The members of the config.json that is written, a row each, with where each comes from.
class MembersModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Key, Value, OriginColumn, columns };

    using QAbstractTableModel::QAbstractTableModel;

    void setMembers(const QList<WeightsMember>& members);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString shown(int row, int column) const;

    QList<WeightsMember> m_members;
};

} // namespace wb::ui::convert
