// SPDX-License-Identifier: MIT
#pragma once

#include <QIcon>
#include <QString>

namespace wb::ui {

// A line icon of resources/icons by its base name ("inspect"), drawn in the palette's text colour at the moment of painting, so
// that it follows a change of theme and any device scale. A checked button's icon has the accent colour. An unknown name
// gives an icon that paints nothing. "weighbridge", the program's mark, keeps its own colours.
QIcon icon(const QString& name);

} // namespace wb::ui
