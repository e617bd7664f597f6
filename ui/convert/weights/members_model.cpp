// SPDX-License-Identifier: MIT
#include "ui/convert/weights/members_model.h"

#include "ui/convert/plan_model.h"
#include "ui/widgets/plain_text.h"

#include <algorithm>

namespace wb::ui::convert {

void MembersModel::setMembers(const QList<WeightsMember>& members) {
    const auto isSame = [](const WeightsMember& one, const WeightsMember& other) {
        return one.key == other.key && one.value == other.value && one.origin == other.origin;
    };
    if (std::ranges::equal(members, m_members, isSame)) return;
    beginResetModel();
    m_members = members;
    endResetModel();
}

int MembersModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_members.size()); }

int MembersModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QString MembersModel::shown(int row, int column) const {
    const WeightsMember& member = m_members[row];
    if (column == Key) return member.key;
    if (column == Value) return member.value;
    switch (member.origin) {
    case WeightsMember::Origin::Source: return tr("from source");
    case WeightsMember::Origin::File: return tr("GGUF file");
    case WeightsMember::Origin::Guessed: break;
    }
    return tr("inferred from architecture");
}

QVariant MembersModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    switch (role) {
    case Qt::DisplayRole: return shown(index.row(), index.column());
    case SortRole: return index.column() == Key ? QVariant(index.row()) : shown(index.row(), index.column());
    case Qt::ToolTipRole: return index.column() <= Value ? QVariant(plainText(shown(index.row(), index.column()))) : QVariant();
    default: return {};
    }
}

QVariant MembersModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == Key ? tr("Key") : section == Value ? tr("Value") : tr("Origin");
}

} // namespace wb::ui::convert
