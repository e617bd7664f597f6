// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/tab.h"

class QLabel;
class QToolButton;
class QTreeView;

namespace wb::ui {

class JobsModel;

// The page of all work: downloads, conversions, long computations and what was interrupted, with what can be done to each.
class JobsTab : public Tab {
    Q_OBJECT

public:
    static constexpr auto tabId = "jobs";

    explicit JobsTab(JobsModel& jobs, QWidget* parent = nullptr); // which must outlive it

    QString id() const override { return QLatin1String(tabId); }
    QString title() const override;
    QIcon icon() const override;
    bool openPaths(const QStringList&) override { return false; }
    QList<QAction*> paletteActions(const QString& text, int limit) override;
    QString reminder() const override;
    QJsonObject saveSession() const override { return {}; }
    void restoreSession(const QJsonObject&) override {}

    QTreeView* view() const { return m_view; }
    void selectRunning(); // the oldest job that runs; none: the selection stays

protected:
    void showEvent(QShowEvent* event) override;

private:
    QAction* addCommand(const char* name, const char* icon, const QKeySequence& shortcut, const std::function<void(int row)>& run);
    void makeActions();
    void move(int places);
    void fillMenu();
    void open(int row, const char* tab);
    void refresh();
    void retranslate();

    JobsModel& m_jobs;
    QTreeView* m_view;
    QLabel *m_empty, *m_reason;
    QAction *m_pause = nullptr, *m_resume = nullptr, *m_cancel = nullptr, *m_remove = nullptr, *m_inspect = nullptr,
            *m_chat = nullptr, *m_reveal = nullptr, *m_clear = nullptr, *m_up = nullptr, *m_down = nullptr;
    QToolButton* m_more;
    QString m_reminder;
};

} // namespace wb::ui
