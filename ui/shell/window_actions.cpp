// SPDX-License-Identifier: MIT
#include "ui/shell/window_actions.h"

#include "ui/widgets/mnemonic.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/translate.h"

#include <QMenuBar>

namespace wb::ui {

WindowActions::WindowActions(QMenuBar* bar, QWidget* window) : QObject(window), m_bar(bar), m_window(window) {
    m_file = bar->addMenu(QString());
    m_view = bar->addMenu(QString());
    m_help = bar->addMenu(QString());
    addFileActions();
    addViewActions();
    addHelpActions();
    keepTranslated(window, [this] { retranslate(); });
}

void WindowActions::addFileActions() {
    openFile = add(m_file, "file", QKeySequence(QKeySequence::Open));
    openFolder = add(m_file, "folder", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O));
    m_recent = m_file->addMenu(QString());
    m_file->addSeparator();
    settings = add(m_file, "settings", QKeySequence(Qt::CTRL | Qt::Key_Comma));
    settings->setMenuRole(QAction::PreferencesRole);
    m_file->addSeparator();
    quit = add(m_file, "quit", QKeySequence(Qt::CTRL | Qt::Key_Q));
    quit->setMenuRole(QAction::QuitRole);
}

void WindowActions::addViewActions() {
    m_firstAfterPlaces = m_view->addSeparator();
    palette = add(m_view, "search", QKeySequence(Qt::CTRL | Qt::Key_K));
    fullScreen = add(m_view, "fullscreen", QKeySequence(Qt::Key_F11));
    fullScreen->setCheckable(true);
}

void WindowActions::addHelpActions() {
    shortcuts = add(m_help, "keyboard", QKeySequence(Qt::Key_F1));
    about = add(m_help, "info", QKeySequence(Qt::SHIFT | Qt::Key_F1));
    about->setMenuRole(QAction::AboutRole);
}

QAction* WindowActions::add(QMenu* menu, const char* iconName, const QKeySequence& shortcut) {
    QAction* action = menu->addAction(QString());
    action->setIcon(icon(QLatin1String(iconName)));
    action->setShortcut(shortcut);
    return action;
}

QAction* WindowActions::addPlace(const QString& title, const QIcon& placeIcon) {
    auto* action = new QAction(placeIcon, title, m_window);
    const auto number = static_cast<int>(m_places.size()) + 1;
    if (number <= 9) action->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + number)));
    m_view->insertAction(m_firstAfterPlaces, action);
    m_places.append(action);
    return action;
}

QMenu* WindowActions::addMenu(const QList<QAction*>& actions) {
    auto* menu = new QMenu(m_bar);
    menu->addActions(actions);
    giveAltKeys(menu);
    m_bar->insertMenu(m_help->menuAction(), menu);
    return menu;
}

QList<QAction*> WindowActions::all() const {
    return QList<QAction*>{openFile, openFolder, settings, quit} + m_places +
           QList<QAction*>{palette, fullScreen, shortcuts, about};
}

void WindowActions::retranslate() {
    m_file->setTitle(tr("&File"));
    m_recent->setTitle(tr("Open &recent"));
    m_view->setTitle(tr("&View"));
    m_help->setTitle(tr("&Help"));
    openFile->setText(tr("&Open file…"));
    openFolder->setText(tr("Open &folder…"));
    settings->setText(tr("&Settings…"));
    quit->setText(tr("&Quit"));
    palette->setText(tr("Find an action or &tensor…"));
    fullScreen->setText(tr("F&ull screen"));
    shortcuts->setText(tr("&Keyboard shortcuts"));
    about->setText(tr("&About Weighbridge"));
}

} // namespace wb::ui
