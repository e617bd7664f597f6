// SPDX-License-Identifier: MIT
#pragma once

#include <QPointer>
#include <QWidget>

namespace wb::ui {

// Runs a modal dialog and returns its answer. `ask` gets the window that is to be the dialog's parent. While the dialog is open its
// event loop may delete `asker`, for example when a reload replaces its page; the dialog survives, because the window is its
// parent, and the answer is empty then. On an empty answer the caller returns at once: it may have been destroyed. An asker that is
// a window itself must not be deleted meanwhile.
template <typename Ask>
auto askFrom(QWidget* asker, Ask ask) {
    const QPointer<QWidget> alive(asker);
    auto answer = ask(asker->window());
    return alive ? answer : decltype(answer)();
}

// Shows the actions of the widget in a context menu. Unlike with Qt::ActionsContextMenu, whose menu is a child of the widget on the
// stack, the widget may be deleted while the menu is open.
void showActionsOnRightClick(QWidget* widget);

} // namespace wb::ui
