// SPDX-License-Identifier: MIT
#pragma once

#include "core/merge/changes.h"

#include <QAbstractTableModel>
#include <QList>

namespace wb::ui::convert {

// How far a merged model is from each model that was merged: a row for all tensors together and one for each tensor and model.
class ParentsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Tensor, Parent, Relative, Cosine, columns };

    using Changes = std::map<std::string, merge::TensorChange>;
    using QAbstractTableModel::QAbstractTableModel;

    void setChanges(const Changes& changes);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Distance {
        QString tensor, parent;
        std::optional<double> relative, cosine;
    };
    void add(const QString& tensor, const merge::TensorChange& change);
    static QString text(const std::optional<double>& value);

    QList<Distance> m_distances;
};

} // namespace wb::ui::convert
