// SPDX-License-Identifier: MIT
#pragma once

#include <QAction>

namespace wb::ui {

// An action of `owner` with a line icon (icons.h) and a shortcut, which counts wherever the tab that it is added to, or a part of
// it, has the focus. The owner gives it its text, in every language again.
QAction* tabAction(QObject* owner, const char* iconName, const QKeySequence& shortcut);

} // namespace wb::ui
