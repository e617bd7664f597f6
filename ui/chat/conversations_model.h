// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/conversation.h"

#include <QAbstractListModel>

namespace wb::ui::chat {

// The stored conversations, the last changed first. Editing one renames it: renameWanted() asks for that, and the next setHeads()
// shows it.
class ConversationsModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { IdRole = Qt::UserRole }; // qint64

    using QAbstractListModel::QAbstractListModel;

    void setHeads(std::vector<wb::chat::ConversationHead> heads);
    QModelIndex indexOf(qint64 id) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    void renameWanted(qint64 id, const QString& title);

private:
    std::vector<wb::chat::ConversationHead> m_heads;
};

} // namespace wb::ui::chat
