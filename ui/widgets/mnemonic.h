// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace wb::ui {

// A menu's or label's text without what marks its Alt key: "&Open" and "打开(&O)" become "Open" and "打开".
QString withoutMnemonic(const QString& text);

} // namespace wb::ui
