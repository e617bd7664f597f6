// SPDX-License-Identifier: MIT
#pragma once

class QString;
class QWidget;

namespace wb::ui {

struct Services;

// Puts "Copy picture" and "Save picture…" (PNG, in the pixels of the screen) into the context menu of a plot. The services must
// outlive it.
void addPictureActions(QWidget* plot, const Services& services);

} // namespace wb::ui
