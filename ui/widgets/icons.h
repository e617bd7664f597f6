// SPDX-License-Identifier: MIT
#pragma once

#include <QIcon>
#include <QString>

namespace wb::ui {

// A line icon of resources/icons by its base name ("inspect"), drawn in the palette's text color at the moment of painting, so
// that it follows a change of theme and any device scale. A checked button's icon has the accent color. An unknown name
// gives an icon that paints nothing. "weighbridge", the program's mark, keeps its own colors.
QIcon icon(const QString& name);

} // namespace wb::ui
