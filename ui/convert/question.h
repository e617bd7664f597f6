// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

class QWidget;

namespace wb::ui::convert {

// Asks before something is lost and waits for the answer. `yes` is what the button says that goes on; the other one, the default,
// cancels. All texts are translated already. False, too, where `asker` went meanwhile; see askFrom.
bool isConfirmed(QWidget* asker, const QString& title, const QString& text, const QString& yes);

// The same with a way besides, which loses nothing; without text it is not offered.
enum class Answer { Cancel, Yes, Besides };
Answer ask(QWidget* asker, const QString& title, const QString& text, const QString& yes, const QString& besides);

// Says in a dialog why something was not done, and does not wait. The texts are translated already.
void warn(QWidget* asker, const QString& title, const QString& text);

} // namespace wb::ui::convert
