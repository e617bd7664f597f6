// SPDX-License-Identifier: MIT
#include "ui/shell/start/recent_card.h"

#include "ui/shell/start/recent_delegate.h"
#include "ui/shell/start/recent_model.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/translate.h"

#include <QDir>
#include <QListView>
#include <QMenu>
#include <QShortcut>
#include <QVBoxLayout>

namespace wb::ui {

RecentCard::RecentCard(QWidget* parent)
    : Card(parent), m_model(new RecentModel(this)), m_list(new QListView(this)), m_empty(makeMutedLabel(this)) {
    m_list->setModel(m_model);
    m_list->setItemDelegate(new RecentDelegate(m_list));
    m_list->setMouseTracking(true);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    content()->addWidget(m_empty);
    content()->addWidget(m_list, 1);
    content()->addStretch();

    connect(m_list, &QListView::activated, this, [this] { Q_EMIT openWanted(currentPath()); });
    connect(m_list, &QListView::clicked, this, [this] { Q_EMIT openWanted(currentPath()); });
    connect(m_list, &QWidget::customContextMenuRequested, this, &RecentCard::showMenu);
    auto* forget = new QShortcut(QKeySequence(QKeySequence::Delete), m_list, nullptr, nullptr, Qt::WidgetShortcut);
    connect(forget, &QShortcut::activated, this, [this] {
        if (m_list->currentIndex().isValid()) Q_EMIT forgetWanted(currentPath());
    });
    keepTranslated(this, [this] {
        setHeading(tr("Recent"));
        m_empty->setText(tr("No recent files."));
        m_list->setAccessibleName(tr("Recent files"));
        m_list->setToolTip(tr("Press Enter to open a file, Delete to remove it from the list."));
    });
    setFiles({});
}

void RecentCard::setFiles(const QList<RecentFile>& files) {
    m_model->setFiles(files);
    m_list->setVisible(!files.isEmpty());
    m_empty->setVisible(files.isEmpty());
}

QString RecentCard::currentPath() const {
    return QDir::fromNativeSeparators(m_list->currentIndex().data(RecentModel::PathRole).toString());
}

void RecentCard::showMenu(const QPoint& position) {
    if (!m_list->indexAt(position).isValid()) return;
    QMenu menu;
    const QAction* open = menu.addAction(tr("Open"));
    const QAction* forget = menu.addAction(tr("Remove from list"));
    const QString path = currentPath(); // the list may change under the menu
    const QAction* chosen = askFrom(this, [&](QWidget*) { return menu.exec(m_list->viewport()->mapToGlobal(position)); });
    if (chosen == open) Q_EMIT openWanted(path);
    if (chosen == forget) Q_EMIT forgetWanted(path);
}

} // namespace wb::ui
