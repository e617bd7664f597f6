// SPDX-License-Identifier: MIT
#pragma once

#include <QList>

class QAction;
class QWidget;

namespace wb::ui {

// Version, license and what the program is made with.
void showAbout(QWidget* parent);

// The shortcuts of the given actions, and the keys of the lists and the palette. The dialog is shown and deletes itself.
void showShortcuts(const QList<QAction*>& actions, QWidget* parent);

} // namespace wb::ui
