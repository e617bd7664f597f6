// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace wb::ui {

// Switches the program to a language at once: every widget gets QEvent::LanguageChange. "" follows the system; a language without
// a translation means English. GUI thread.
void applyLanguage(const QString& language);

} // namespace wb::ui
