// SPDX-License-Identifier: MIT
#include "ui/convert/weights/parents_model.h"

#include "ui/convert/plan_model.h"
#include "ui/widgets/plain_text.h"

#include <QLocale>

namespace wb::ui::convert {

void ParentsModel::setChanges(const Changes& changes) {
    beginResetModel();
    m_distances.clear();
    add(tr("(all tensors)"), merge::totalChange(changes));
    for (const auto& [tensor, change] : changes) add(QString::fromStdString(tensor), change);
    endResetModel();
}

void ParentsModel::add(const QString& tensor, const merge::TensorChange& change) {
    for (const merge::ParentChange& parent : change.parents)
        m_distances.append({tensor, QString::fromStdString(parent.model), parent.change.relativeChange(), parent.change.cosine()});
}

int ParentsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_distances.size()); }

int ParentsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QString ParentsModel::text(const std::optional<double>& value) {
    return value ? QLocale().toString(*value, 'g', 4) : QStringLiteral("–");
}

QVariant ParentsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Distance& row = m_distances[index.row()];
    const std::optional<double>& number = index.column() == Relative ? row.relative : row.cosine;
    const bool isText = index.column() <= Parent;
    const QString shown = index.column() == Tensor ? row.tensor : index.column() == Parent ? row.parent : text(number);
    switch (role) {
    case Qt::DisplayRole: return shown;
    case Qt::ToolTipRole: return isText ? QVariant(plainText(shown)) : QVariant();
    case Qt::TextAlignmentRole: return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case SortRole:
        if (index.column() == Tensor) return index.row();
        return isText ? QVariant(shown) : QVariant(number.value_or(-1));
    default: return {};
    }
}

QVariant ParentsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section <= Parent ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Tensor: return tr("Tensor");
    case Parent: return tr("Compared with");
    case Relative: return tr("Relative change");
    default: return tr("Cosine similarity");
    }
}

} // namespace wb::ui::convert
