// SPDX-License-Identifier: MIT
#pragma once

class QString;
class QWidget;

namespace wb::ui {

struct Services;

// Saves the plot as it is shown: as SVG if the path ends in .svg, else as PNG. False if the file cannot be written.
bool savePlot(QWidget* plot, const QString& path);

// Puts "Copy picture" and "Save picture…" (PNG in the pixels of the screen, or SVG) into the context menu of a plot. The services
// must outlive it.
void addPictureActions(QWidget* plot, const Services& services);

} // namespace wb::ui
