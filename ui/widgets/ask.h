// SPDX-License-Identifier: MIT
#pragma once

#include <QPointer>
#include <QWidget>

namespace wb::ui {

// Asks with a dialog that waits for its answer. `ask` gets the window that the dialog shall be a child of and gives the answer. The
// loop of a dialog runs everything else meanwhile, also the deletion of `asker`: a reload puts a new page in the place of the old one.
// The dialog lives through that, as it is no child of the asker, and the answer is an empty one then. Whoever asked leaves at an empty
// answer without touching itself. An asker that is a window itself must stay until the answer.
template <typename Ask> auto askFrom(QWidget* asker, Ask ask) {
    const QPointer<QWidget> alive(asker);
    auto answer = ask(asker->window());
    return alive ? answer : decltype(answer)();
}

// Shows the actions of the widget at a right click. Qt::ActionsContextMenu does that with a menu on the stack that is a child of the
// widget, and so nobody may delete the widget while the menu is open; with this one may.
void showActionsOnRightClick(QWidget* widget);

} // namespace wb::ui
