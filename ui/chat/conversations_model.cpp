// SPDX-License-Identifier: MIT
#include "ui/chat/conversations_model.h"

#include "ui/widgets/numbers.h"
#include "ui/widgets/plain_text.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>

#include <algorithm>

namespace wb::ui::chat {

using namespace wb::chat;

namespace {

bool sameRows(const std::vector<ConversationHead>& a, const std::vector<ConversationHead>& b) {
    return std::ranges::equal(a, b, {}, &ConversationHead::id, &ConversationHead::id);
}

} // namespace

void ConversationsModel::setHeads(std::vector<ConversationHead> heads) {
    if (heads == m_heads) return;
    // Titles alone change most often; what is chosen and where the list is scrolled to then stay by themselves.
    if (sameRows(heads, m_heads)) {
        m_heads = std::move(heads);
        emit dataChanged(index(0), index(rowCount() - 1));
        return;
    }
    beginResetModel();
    m_heads = std::move(heads);
    endResetModel();
}

QModelIndex ConversationsModel::indexOf(qint64 id) const {
    const auto found = std::ranges::find(m_heads, id, &ConversationHead::id);
    return found == m_heads.end() ? QModelIndex() : index(static_cast<int>(found - m_heads.begin()));
}

int ConversationsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_heads.size());
}

QVariant ConversationsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const ConversationHead& head = m_heads[static_cast<std::size_t>(index.row())];
    const QString title = ui::text(head.title);
    switch (role) {
    case Qt::DisplayRole: return title.isEmpty() ? tr("Untitled") : title;
    case Qt::EditRole: return title;
    case Qt::ToolTipRole: {
        const QString when = QLocale().toString(QDateTime::fromMSecsSinceEpoch(head.changed), QLocale::ShortFormat);
        const QString model = QFileInfo(ui::text(head.model)).fileName();
        return plainText(model.isEmpty() ? QStringLiteral("%1\n%2").arg(title, when)
                                         : QStringLiteral("%1\n%2\n%3").arg(title, model, when));
    }
    case IdRole: return QVariant::fromValue<qint64>(head.id);
    default: return {};
    }
}

bool ConversationsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
    ConversationHead& head = m_heads[static_cast<std::size_t>(index.row())];
    const QString title = value.toString().simplified();
    if (title.isEmpty() || title.toStdString() == head.title) return false;
    head.title = title.toStdString();
    emit dataChanged(index, index);
    emit renameWanted(head.id, title);
    return true;
}

Qt::ItemFlags ConversationsModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags usual = QAbstractListModel::flags(index);
    return index.isValid() ? usual | Qt::ItemIsEditable | Qt::ItemNeverHasChildren : usual;
}

} // namespace wb::ui::chat
