// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>

namespace wb::ui {

// The same font, followed by an installed one that has Chinese characters. Left alone, the system may take them from a bold one
// although the regular one is there.
QFont withChinese(QFont font);

} // namespace wb::ui
