// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/tab.h"
#include "ui/widgets/icons.h"

#include <QAction>

namespace wb::test {

// A tab that opens everything, remembers what it was asked and gives one action to the palette.
class FakeTab : public ui::Tab {
    Q_OBJECT

public:
    explicit FakeTab(QWidget* parent = nullptr)
        : Tab(parent), action(new QAction(QStringLiteral("blk.0.attn_q.weight"), this)),
          ownAction(new QAction(QStringLiteral("Weigh"), this)) {
        ownAction->setShortcut(QKeySequence(Qt::Key_F8));
        ownAction->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        addAction(ownAction);
    }

    ~FakeTab() override { Q_EMIT subjectChanged(); } // as a tab does that closes its models

    QString id() const override { return QStringLiteral("fake"); }
    QString title() const override { return shownTitle; }
    QIcon icon() const override { return ui::icon(QStringLiteral("inspect")); }
    ui::OpenedModel describe(const QString&) const override { return {QStringLiteral("GGUF"), 4096}; }
    QList<QAction*> paletteActions(const QString&, int) override { return {action}; }
    QJsonObject saveSession() const override { return session; }
    void restoreSession(const QJsonObject& restored) override { session = restored; }

    bool openPaths(const QStringList& paths) override {
        for (const QString& path : paths) Q_EMIT opened(path);
        openedPaths += paths;
        return true;
    }

    bool takeDrop(const QStringList& paths) override {
        if (takesDrops) droppedPaths += paths;
        return takesDrops;
    }

    QString subject() const override { return shownSubject; }
    QString reminder() const override { return shownReminder; }

    QString shownTitle = QStringLiteral("Fake");
    QString shownSubject, shownReminder;
    bool takesDrops = false;
    QStringList droppedPaths;
    QAction* action;
    QAction* ownAction; // for the tab's menu
    QStringList openedPaths;
    QJsonObject session;
};

} // namespace wb::test
