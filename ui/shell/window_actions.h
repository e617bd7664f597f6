// SPDX-License-Identifier: MIT
#pragma once

#include <QAction>
#include <QList>
#include <QObject>

class QMenuBar;
class QMenu;

namespace wb::ui {

// The actions of the window and its menus. Every action has a text and a shortcut or a tooltip; the window connects them.
class WindowActions : public QObject {
    Q_OBJECT

public:
    WindowActions(QMenuBar* bar, QWidget* window);

    QAction *openFile, *openFolder, *settings, *quit;
    QAction *palette, *fullScreen;
    QAction *shortcuts, *about;

    QMenu* recentMenu() const { return m_recent; }
    QMenu* viewMenu() const { return m_view; }
    QAction* addPlace(const QString& title, const QIcon& placeIcon); // a place of the rail, with the next Ctrl+number
    QMenu* addMenu(const QList<QAction*>& actions);                  // before Help
    QList<QAction*> places() const { return m_places; }
    QList<QAction*> all() const; // in menu order, without recent files

private:
    QAction* add(QMenu* menu, const char* iconName, const QKeySequence& shortcut);
    void addFileActions();
    void addViewActions();
    void addHelpActions();
    void retranslate();

    QMenuBar* m_bar;
    QWidget* m_window;
    QMenu *m_file, *m_recent, *m_view, *m_help;
    QAction* m_firstAfterPlaces = nullptr;
    QList<QAction*> m_places;
};

} // namespace wb::ui
