// SPDX-License-Identifier: MIT
#pragma once

#include "ui/browse/downloads.h"

class QMenu;

namespace wb::ui::browse {

// Commands of the Jobs page for downloads, put into a menu that is about to be shown. `downloads` must outlive the menu.
void addSpeedMenu(QMenu* menu, Downloads& downloads, quint64 id); // the speed limit of one download
void addQueueCommands(QMenu* menu, Downloads& downloads);         // pause, speed limit and schedule of all

} // namespace wb::ui::browse
