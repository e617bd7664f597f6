// SPDX-License-Identifier: MIT
#include "ui/convert/folder/pairs_model.h"

#include "ui/convert/plan_model.h"
#include "ui/widgets/plain_text.h"

namespace wb::ui::convert {

void PairsModel::setPlan(std::shared_ptr<const conversion::ConvertPlan> plan, ModelPtr written) {
    if (plan == m_plan && written == m_written) return;
    beginResetModel();
    m_plan = std::move(plan);
    m_written = std::move(written);
    endResetModel();
}

int PairsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_plan ? 0 : static_cast<int>(m_plan->pairs.size());
}

int PairsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QString PairsModel::shown(int row, int column) const {
    const conversion::PlannedPair& pair = m_plan->pairs[static_cast<std::size_t>(row)];
    switch (column) {
    case Key: return QString::fromStdString(pair.stored.key);
    case Value: {
        const wb::Value* const value = m_written ? m_written->metadata.find(pair.stored.key) : nullptr;
        return value ? QString::fromStdString(summary(*value)) : QString();
    }
    case Type: return QString::fromLatin1(pair.type);
    default: break;
    }
    switch (pair.origin) {
    case conversion::Origin::Config: return tr("config.json");
    case conversion::Origin::Tokenizer: return tr("tokenizer");
    case conversion::Origin::Option: return tr("your choice");
    case conversion::Origin::Computed: break;
    }
    return tr("computed");
}

QVariant PairsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    switch (role) {
    case Qt::DisplayRole: return shown(index.row(), index.column());
    case SortRole: return index.column() == Key ? QVariant(index.row()) : shown(index.row(), index.column());
    case Qt::ToolTipRole: return index.column() <= Value ? QVariant(plainText(shown(index.row(), index.column()))) : QVariant();
    default: return {};
    }
}

QVariant PairsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Key: return tr("Key");
    case Value: return tr("Value");
    case Type: return tr("Type");
    default: return tr("Origin");
    }
}

} // namespace wb::ui::convert
