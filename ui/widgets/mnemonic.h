// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

class QMenu;

namespace wb::ui {

// A menu's or label's text without what marks its Alt key: "&Open" and "打开(&O)" become "Open" and "打开".
QString withoutMnemonic(const QString& text);

// Gives every action of the menu that has no Alt key a separate one while the menu is open: its texts are elsewhere, too.
void giveAltKeys(QMenu* menu);

} // namespace wb::ui
