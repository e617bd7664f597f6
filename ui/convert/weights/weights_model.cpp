// SPDX-License-Identifier: MIT
#include "ui/convert/weights/weights_model.h"

#include "ui/convert/plan_model.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/plain_text.h"

#include <QStringList>

namespace wb::ui::convert {

void WeightsModel::setPlan(std::shared_ptr<const conversion::WeightsPlan> plan) {
    if (plan == m_plan) return;
    beginResetModel();
    m_plan = std::move(plan);
    endResetModel();
}

int WeightsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_plan ? 0 : static_cast<int>(m_plan->tensors.size());
}

int WeightsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QString WeightsModel::transformText(const std::string& transform) {
    if (transform == "rename") return tr("renamed");
    if (transform == "cast") return tr("cast");
    if (transform == "decode") return tr("decoded");
    if (transform == "unpermute") return tr("rows back in order");
    if (transform == "subtract_one") return tr("minus one");
    if (transform == "transpose") return tr("transposed");
    if (transform == "unstack") return tr("taken from a stack");
    if (transform == "join" || transform == "interleave") return tr("joined");
    if (transform == "unpack") return tr("blocks and scales");
    if (transform == "replace") return tr("replaced by the adapter");
    return text(transform); // of an adapter: "lora r8 scale 2"
}

QString WeightsModel::shown(int row, int column) const {
    const conversion::PlannedWeight& weight = m_plan->tensors[static_cast<std::size_t>(row)];
    switch (column) {
    case Name: return text(weight.name);
    case ShapeColumn: return text(weight.shape.toString());
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
        for (const std::string& transform : weight.transforms) transforms << transformText(transform);
        return transforms.isEmpty() ? tr("copied") : transforms.join(QStringLiteral(", "));
    }
    default: return text(m_plan->weights[weight.file].name);
    }
}

QVariant WeightsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return shown(index.row(), column);
    case SortRole:
        if (column == Bytes) return QVariant::fromValue<quint64>(m_plan->tensors[static_cast<std::size_t>(index.row())].bytes);
        return column == Name ? QVariant(index.row()) : shown(index.row(), column);
    case Qt::ToolTipRole:
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
