// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include <functional>

namespace wb::ui {

// Calls `apply` now and again after every change of language, as long as `widget` lives. `apply` sets the texts of the widget.
void keepTranslated(QWidget* widget, std::function<void()> apply);

} // namespace wb::ui
