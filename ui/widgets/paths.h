// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace wb::ui {

// A path as people read it: native separators, and "~" for the home folder where that is customary.
QString shortPath(const QString& path);

} // namespace wb::ui
