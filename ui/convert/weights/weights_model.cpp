// SPDX-License-Identifier: MIT
#include "ui/convert/weights/weights_model.h"

#include "ui/convert/plan_model.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/shape_text.h"
#include "ui/widgets/tensor_words.h"

#include <QFont>
#include <QStringList>

namespace wb::ui::convert {

// Rows that stay keep the selection and the place of the view; while a plan is made none exist.
void WeightsModel::setPlan(std::shared_ptr<const wb::convert::WeightsPlan> plan, const wb::convert::WeightsPlanFile& chosen) {
    if (plan == m_plan) return;
    beginResetModel();
    m_plan = std::move(plan);
    m_chosen = chosen;
    endResetModel();
}

bool WeightsModel::isChosen(const QModelIndex& index) const {
    if (index.column() == Name) return m_chosen.names.contains(ownName(index.row()));
    return index.column() == To && m_chosen.types.contains(ownName(index.row()));
}

Qt::ItemFlags WeightsModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (!index.isValid()) return flags;
    const bool isEditable = index.column() == Name || (index.column() == To && wb::convert::canCast(planned(index.row()).from));
    return isEditable ? flags | Qt::ItemIsEditable : flags;
}

// An empty text takes the choice back.
bool WeightsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable)) return false;
    const std::string tensor = ownName(index.row()), text = value.toString().trimmed().toStdString();
    if (value.toString() == shown(index.row(), index.column())) return true;
    if (index.column() == Name)
        emit changeWanted([tensor, text](wb::convert::WeightsPlanFile& file) {
            if (text.empty() || text == tensor) file.names.erase(tensor);
            else file.names[tensor] = text;
        });
    else
        emit changeWanted([tensor, type = dtypeFromName(text)](wb::convert::WeightsPlanFile& file) {
            if (type) file.types[tensor] = *type;
            else file.types.erase(tensor);
        });
    return true;
}

int WeightsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_plan ? 0 : static_cast<int>(m_plan->tensors.size());
}

int WeightsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QString WeightsModel::shown(int row, int column) const {
    const wb::convert::PlannedWeight& weight = m_plan->tensors[static_cast<std::size_t>(row)];
    switch (column) {
    case Name: return text(weight.name);
    case ShapeColumn: return shownShape(weight.shape);
    case From: return QString::fromLatin1(wb::name(weight.from));
    case To: return QString::fromLatin1(wb::name(weight.to));
    case Bytes: return shownCount(weight.bytes);
    case SourceColumn: {
        QStringList names;
        for (const std::string& source : weight.sources) names << text(source);
        return names.join(QStringLiteral(", "));
    }
    case TransformColumn: {
        QStringList transforms;
        for (const std::string& transform : weight.transforms) transforms << schemeText(transform);
        return transforms.isEmpty() ? tr("copied") : transforms.join(QStringLiteral(", "));
    }
    default: return text(m_plan->weights[weight.file].name);
    }
}

QVariant WeightsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: return shown(index.row(), column);
    case TypesRole: {
        QStringList types;
        for (const Dtype type : wb::convert::weightTypes()) types << QString::fromLatin1(wb::name(type));
        return types;
    }
    case Qt::FontRole: {
        if (!isChosen(index)) return {};
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    case SortRole:
        if (column == Bytes) return QVariant::fromValue<quint64>(m_plan->tensors[static_cast<std::size_t>(index.row())].bytes);
        return column == Name ? QVariant(index.row()) : shown(index.row(), column);
    case Qt::ToolTipRole:
        if (column == To && (flags(index) & Qt::ItemIsEditable)) return tr("Double-click to change the type.");
        return column == Name || column == SourceColumn ? QVariant(plainText(shown(index.row(), column))) : QVariant();
    case Qt::TextAlignmentRole: return static_cast<int>((column == Bytes ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default: return {};
    }
}

QVariant WeightsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == Bytes ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Name: return tr("Tensor");
    case ShapeColumn: return tr("Shape");
    case From: return tr("From");
    case To: return tr("To");
    case Bytes: return tr("Bytes");
    case SourceColumn: return tr("Source");
    case TransformColumn: return tr("Transform");
    default: return tr("File");
    }
}

} // namespace wb::ui::convert
