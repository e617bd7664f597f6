// SPDX-License-Identifier: MIT
#include "ui/convert/folder/pairs_model.h"

#include "ui/convert/plan_model.h"
#include "ui/widgets/plain_text.h"

#include <QFont>

#include <algorithm>

namespace wb::ui::convert {

// Rows that stay keep the selection and the place of the view.
void PairsModel::setPlan(std::shared_ptr<const wb::convert::ConvertPlan> plan, ModelPtr written,
                         const std::vector<quantize::KeyOverride>& overrides) {
    const auto pairText = [](const quantize::KeyOverride& override) { return quantize::overrideText(override); };
    const bool hasSame = std::ranges::equal(overrides, m_overrides, {}, pairText, pairText);
    if (plan == m_plan && written == m_written && hasSame) return;
    const bool hasSameRows = plan && m_plan && plan->pairs.size() == m_plan->pairs.size();
    if (!hasSameRows) beginResetModel();
    m_plan = std::move(plan);
    m_written = std::move(written);
    m_overrides = overrides;
    if (!hasSameRows) endResetModel();
    else if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
}

const quantize::KeyOverride* PairsModel::rowOverride(int row) const {
    const auto found = std::ranges::find(m_overrides, pair(row).stored.key, &quantize::KeyOverride::key);
    return found == m_overrides.end() ? nullptr : &*found;
}

// The contents of a file of another number type cannot be said by an override, which writes u32 and f32.
QString PairsModel::rowKind(int row) const {
    const std::string_view type = pair(row).type;
    return type == "u32"                     ? QStringLiteral("int")
           : type == "f32"                   ? QStringLiteral("float")
           : type == "bool" || type == "str" ? QString::fromLatin1(type.data(), static_cast<qsizetype>(type.size()))
                                             : QString();
}

Qt::ItemFlags PairsModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    const bool isEditable = index.isValid() && index.column() == Value && !rowKind(index.row()).isEmpty();
    return isEditable ? flags | Qt::ItemIsEditable : flags;
}

bool PairsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable)) return false;
    const QString key = QString::fromStdString(pair(index.row()).stored.key), text = value.toString();
    if (text == shown(index.row(), Value)) return true;
    emit overrideWanted(key, text.isEmpty() ? QString() : key + u'=' + rowKind(index.row()) + u':' + text);
    return true;
}

int PairsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_plan ? 0 : static_cast<int>(m_plan->pairs.size());
}

int PairsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QString PairsModel::shown(int row, int column) const {
    const wb::convert::PlannedPair& pair = m_plan->pairs[static_cast<std::size_t>(row)];
    switch (column) {
    case Key: return QString::fromStdString(pair.stored.key);
    case Value: {
        if (const auto* own = rowOverride(row)) {
            const std::string text = quantize::overrideText(*own); // KEY=KIND:VALUE
            return QString::fromStdString(text.substr(text.find(':', own->key.size()) + 1));
        }
        const wb::Value* const value = m_written ? m_written->metadata.find(pair.stored.key) : nullptr;
        return value ? QString::fromStdString(summary(*value)) : QString();
    }
    case Type: return QString::fromLatin1(pair.type);
    default: break;
    }
    if (rowOverride(row)) return tr("set by you");
    switch (pair.origin) {
    case wb::convert::Origin::Config: return tr("config.json");
    case wb::convert::Origin::Tokenizer: return tr("tokenizer");
    case wb::convert::Origin::Option: return tr("set by you");
    case wb::convert::Origin::Computed: break;
    }
    return tr("computed");
}

QVariant PairsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: return shown(index.row(), index.column());
    case Qt::FontRole: {
        if (index.column() != Value || !rowOverride(index.row())) return {};
        QFont bold;
        bold.setBold(true);
        return bold;
    }
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
