// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>

#include <array>
#include <span>

namespace wb::ui {

// Ten colors that keep apart from each other and from the background of the theme in use, in a fixed order. Where more are needed
// they repeat with another dash pattern, and a legend names every line: color is never the only carrier.
std::span<const QColor> seriesColors();
std::span<const QColor> seriesColors(bool dark);
Qt::PenStyle seriesDash(std::size_t series);

} // namespace wb::ui
