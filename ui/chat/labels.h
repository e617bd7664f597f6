// SPDX-License-Identifier: MIT
#pragma once

class QLabel;
class QWidget;

namespace wb::ui::chat {

// Plain text that wraps and can be selected. `name` is its object name.
QLabel* makeTextLabel(QWidget* parent, const char* name);

} // namespace wb::ui::chat
