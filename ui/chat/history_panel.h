// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/conversation.h"

#include <QTimer>
#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;
class QListView;

namespace wb::ui::chat {

class ConversationsModel;

// The stored conversations at the side of the chat: search, choose, rename, delete, export.
class HistoryPanel : public QWidget {
    Q_OBJECT

public:
    explicit HistoryPanel(QWidget* parent = nullptr);

    void setHeads(std::vector<wb::chat::ConversationHead> heads);
    void setShown(qint64 id); // the conversation next to it; 0: a new one
    QString words() const;    // searched for

    ConversationsModel* model() const { return m_model; }
    QListView* list() const { return m_list; }

signals:
    void newWanted();
    void searchWanted(const QString& words);
    void chosen(qint64 id);
    void renameWanted(qint64 id, const QString& title);
    void removeWanted(qint64 id, const QString& title);
    void exportWanted(qint64 id);

private:
    QAction* addListAction(const char* icon, const QKeySequence& shortcut);
    qint64 current() const;
    void showEmpty();

    ConversationsModel* m_model;
    QLineEdit* m_search;
    QListView* m_list;
    QLabel* m_empty;
    QAction* m_rename;
    QAction* m_remove;
    QAction* m_export;
    QTimer m_later; // a search while typing
    qint64 m_shown = 0;
};

} // namespace wb::ui::chat
