// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/settings/session_store.h"

#include <QMainWindow>

class QMenu;
class QStackedWidget;
class QToolButton;

namespace wb::ui {

class CommandPalette;
class Devices;
class JobsModel;
class MessageLine;
class NavigationRail;
class QueuedJobRunner;
class SettingsStore;
class StartPage;
class Tab;
class WindowActions;
struct Command;

// Where the window keeps its things; decided by app/window.
struct WindowPlaces {
    QString sessionFile;
    QString geometryFile;       // QSettings, INI
    QString defaultCache;       // shown in the settings where none is chosen
    QString starterModel;       // may not exist
    QString defaultModels = {}; // for downloads; shown in the settings where no folder is chosen
};

// The window: the rail, the start page and the tabs, messages, and the work in progress in the status bar. It knows tabs by their
// interface only.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    // The settings offer the devices; null: the CPU alone. All must outlive the window.
    MainWindow(SettingsStore& settings, QueuedJobRunner& runner, const WindowPlaces& places, const Devices* devices = nullptr,
               QWidget* parent = nullptr);
    ~MainWindow() override;

    JobsModel& jobs() { return *m_jobs; }

    // Takes the tab; in the order of the rail. Its work joins the list, which the tab of this id shows: JobsTab::tabId. The actions
    // it has by then (QWidget::actions) become a menu, and their shortcuts work wherever the focus is while the tab is shown.
    void addTab(Tab* tab);
    QList<Tab*> tabs() const { return m_tabs; }

    void restoreSession(); // once, after all tabs were added
    void openPaths(const QStringList& paths);
    QString folderToOpenFrom() const; // where the open dialogs start
    void showPlace(int index);        // 0 is the start page
    void showMessage(const QString& text, bool isError);

    WindowActions* windowActions() const { return m_actions; }
    const SessionStore& session() const { return m_session; }
    CommandPalette* commandPalette() const { return m_palette; }
    void showSettings();

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    QWidget* makeCentre();
    void makeStatusBar();
    void connectActions();
    void connectJobs();
    QList<Command> commandsFor(const QString& text);
    void handOver(const QString& tabId, const QStringList& paths);
    void showTab(const QString& tabId); // if there is one
    void showJobs();                    // with the running job selected
    void compare(const QStringList& paths);
    QString currentJobText() const; // empty: nothing runs
    void rememberOpened(const Tab* tab, const QString& path);
    void forgetRecent(const QString& path);
    void updateRecent();
    void updateJobsButton();
    void updateTabTitles();
    void updateTabMenus();
    QList<QAction*> allActions() const;
    void updateWindowTitle();
    void askForFile();
    void askForFolder();
    void takeDrop(const QStringList& paths);
    bool mayClose();
    void saveSession();
    void restoreGeometryFromFile();

    SettingsStore& m_settings;
    QueuedJobRunner& m_runner;
    WindowPlaces m_places;
    const Devices* m_devices;
    SessionStore m_session;
    JobsModel* m_jobs;
    WindowActions* m_actions;
    NavigationRail* m_rail;
    QStackedWidget* m_stack;
    StartPage* m_start;
    MessageLine* m_message;
    QToolButton* m_jobsButton;
    CommandPalette* m_palette;
    QList<Tab*> m_tabs;
    QList<QMenu*> m_tabMenus; // one a tab
};

} // namespace wb::ui
