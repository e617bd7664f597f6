// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

class QWidget;

namespace wb::ui::convert {

// Asks before something is lost and waits for the answer. `yes` is what the button says that goes on; the other one, the default,
// cancels. All texts are translated already.
bool isConfirmed(QWidget* parent, const QString& title, const QString& text, const QString& yes);

// The same with a way besides, which loses nothing; without text it is not offered.
enum class Answer { Yes, Besides, Cancel };
Answer ask(QWidget* parent, const QString& title, const QString& text, const QString& yes, const QString& besides);

} // namespace wb::ui::convert
