// SPDX-License-Identifier: MIT
#pragma once

class QWidget;

namespace wb::ui {

// Lets a combo or spin box take the mouse wheel only while it has the focus, and not by the wheel: who scrolls the page over it
// changes nothing.
void needFocusForWheel(QWidget* widget);

} // namespace wb::ui
