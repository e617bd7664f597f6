// SPDX-License-Identifier: MIT
#pragma once

#include <imgui.h>

#include <QFont>

namespace wb::ui {

// Makes the atlas of the current context again with the printable ASCII characters of `font`, painted by Qt at `scale` device
// pixels a logical one; all other characters are words (see PlotWords). Returns the height of a line in device pixels.
float buildFontAtlas(ImFontAtlas& atlas, const QFont& font, qreal scale);

} // namespace wb::ui
