// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace wb::ui {

// Switches the program to a language at once: every widget gets QEvent::LanguageChange. "" follows the system; a language without
// a translation means English. GUI thread.
void applyLanguage(const QString& language);

// The English of a text that is shown in another language: for finding commands by either. Empty if unknown or equal. Thread-safe.
QString englishText(const QString& shown);

} // namespace wb::ui
