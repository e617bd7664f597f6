// SPDX-License-Identifier: MIT
#include "ui/chat/history_panel.h"

#include "ui/chat/conversations_model.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/card.h"
#include "ui/widgets/tab_action.h"
#include "ui/widgets/translate.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QVBoxLayout>

namespace wb::ui::chat {

using namespace wb::chat;

namespace {
constexpr int searchDelayMs = 200;
}

HistoryPanel::HistoryPanel(QWidget* parent)
    : QWidget(parent), m_model(new ConversationsModel(this)), m_search(new QLineEdit(this)), m_list(new QListView(this)),
      m_empty(makeMutedLabel(this)), m_rename(addListAction("edit", QKeySequence(Qt::Key_F2))),
      m_remove(addListAction("remove", QKeySequence(Qt::Key_Delete))),
      m_export(addListAction("export", QKeySequence(Qt::CTRL | Qt::Key_E))) {
    auto* fresh = new QPushButton(this);
    fresh->setObjectName(QStringLiteral("newConversation"));
    m_search->setObjectName(QStringLiteral("search"));
    m_search->setClearButtonEnabled(true);
    m_list->setObjectName(QStringLiteral("conversations"));
    m_empty->setObjectName(QStringLiteral("noChats"));
    m_list->setModel(m_model);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setUniformItemSizes(true);
    m_list->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_list->addActions({m_rename, m_export, m_remove});
    showActionsOnRightClick(m_list);
    m_later.setSingleShot(true);
    m_later.setInterval(searchDelayMs);
    connect(fresh, &QPushButton::clicked, this, &HistoryPanel::newWanted);
    connect(m_search, &QLineEdit::textChanged, this, [this] { m_later.start(); });
    connect(&m_later, &QTimer::timeout, this, [this] { emit searchWanted(words()); });
    const auto choose = [this](const QModelIndex& index) { emit chosen(index.data(ConversationsModel::IdRole).toLongLong()); };
    connect(m_list, &QListView::clicked, this, choose);
    connect(m_list, &QListView::activated, this, choose);
    connect(m_model, &ConversationsModel::renameWanted, this, &HistoryPanel::renameWanted);
    connect(m_rename, &QAction::triggered, this, [this] { m_list->edit(m_list->currentIndex()); });
    connect(m_remove, &QAction::triggered, this, [this] {
        if (current()) emit removeWanted(current(), m_list->currentIndex().data().toString());
    });
    connect(m_export, &QAction::triggered, this, [this] {
        if (current()) emit exportWanted(current());
    });
    keepTranslated(this, [this, fresh] {
        fresh->setText(tr("New chat"));
        m_search->setPlaceholderText(tr("Search chats"));
        m_search->setAccessibleName(tr("Search chats"));
        m_list->setAccessibleName(tr("Chats"));
        m_rename->setText(tr("Rename"));
        m_remove->setText(tr("Delete…"));
        m_export->setText(tr("Export…"));
        showEmpty();
    });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 12);
    layout->addWidget(fresh);
    layout->addWidget(m_search);
    layout->addWidget(m_empty);
    layout->addWidget(m_list, 1);
    setHeads({});
}

QAction* HistoryPanel::addListAction(const char* icon, const QKeySequence& shortcut) {
    QAction* const action = tabAction(this, icon, shortcut);
    action->setShortcutContext(Qt::WidgetShortcut);
    return action;
}

QString HistoryPanel::words() const { return m_search->text().trimmed(); }

qint64 HistoryPanel::current() const { return m_list->currentIndex().data(ConversationsModel::IdRole).toLongLong(); }

void HistoryPanel::setHeads(std::vector<ConversationHead> heads) {
    const qint64 before = current();
    m_model->setHeads(std::move(heads));
    const QModelIndex kept = m_model->indexOf(before ? before : m_shown);
    if (kept.isValid()) m_list->setCurrentIndex(kept);
    showEmpty();
}

void HistoryPanel::showEmpty() {
    m_empty->setText(words().isEmpty() ? tr("Your chats are stored on this computer and listed here.")
                                       : tr("No chats contain these words."));
    m_empty->setVisible(m_model->rowCount() == 0);
}

void HistoryPanel::setShown(qint64 id) {
    m_shown = id;
    const QModelIndex index = m_model->indexOf(id);
    m_list->setCurrentIndex(index);
    if (!index.isValid()) m_list->clearSelection();
}

} // namespace wb::ui::chat
