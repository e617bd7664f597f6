// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/palette/command_model.h"

class QAction;
class QWidget;

namespace wb::ui {

class Tab;

// The visible contents of the tab, for the command palette: every page of its tab bars, every enabled action and every button, by
// the names that they have. Two things of one name are omitted, because a name must be unambiguous, and so are pages with a
// close button, which are documents. `given` are known already; `show` brings the tab to the front.
QList<Command> commandsIn(Tab* tab, const QList<QAction*>& given, const std::function<void()>& show);

// Words by which a command of this name is found, too, in English and in the language in use. `english` may be empty: the title is
// English.
QString commandSynonyms(const QString& title, const QString& english);

} // namespace wb::ui
