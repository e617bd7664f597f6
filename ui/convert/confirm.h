// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

class QWidget;

namespace wb::ui::convert {

// Asks before something is lost and waits for the answer: true where the user continues. The button that does is called `confirm`;
// the other one, the default, cancels. All texts are translated already. False, too, where `asker` is deleted meanwhile; see
// askFrom.
bool isConfirmed(QWidget* asker, const QString& title, const QString& text, const QString& confirm);

// The same with a third button, for an alternative without loss; an empty `other` leaves it out.
enum class Answer { Cancel, Confirm, Other };
Answer confirmOr(QWidget* asker, const QString& title, const QString& text, const QString& confirm, const QString& other);

// Says in a dialog why something was not done, and does not wait. The texts are translated already.
void warn(QWidget* asker, const QString& title, const QString& text);

} // namespace wb::ui::convert
