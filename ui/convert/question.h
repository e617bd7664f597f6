// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

class QWidget;

namespace wb::ui::convert {

// Asks before something is lost and waits for the answer. `yes` is what the button says that goes on; the other one, the default,
// cancels. All texts are translated already.
bool isConfirmed(QWidget* parent, const QString& title, const QString& text, const QString& yes);

} // namespace wb::ui::convert
