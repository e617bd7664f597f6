// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/start/recent_files.h"

#include <QHash>
#include <QScrollArea>

namespace wb::ui {

class DropCard;
class RecentCard;
class StarterCard;

// The first place: drop or open something, go back to recent files, learn what the program can do.
class StartPage : public QScrollArea {
    Q_OBJECT

public:
    // `starterModel` is where the starter model is once it has been fetched; empty: none exists to speak of.
    explicit StartPage(const QString& starterModel, QWidget* parent = nullptr);

    void setRecentFiles(const QList<RecentFile>& files); // looks again which files are there
    void setDropActive(bool active);

    // What waits for the user in a tab, with the way there; an empty reminder takes it away.
    void setReminder(const QString& tabId, const QString& tabTitle, const QString& reminder);

signals:
    void openFileWanted();
    void openFolderWanted();
    void openWanted(const QString& path);
    void placeWanted(const QString& tabId);
    void forgetWanted(const QString& path); // take it off the list of recent files

private:
    DropCard* m_drop;
    RecentCard* m_recent;
    StarterCard* m_starter;
    QWidget* m_page;
    QHash<QString, QWidget*> m_reminders; // by tab
};

} // namespace wb::ui
