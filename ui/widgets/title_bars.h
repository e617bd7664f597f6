// SPDX-License-Identifier: MIT
#pragma once

namespace wb::ui {

// Makes the title bars of all windows, and of those to come, dark or light. On Windows 10 2004 and later; other systems color them
// as they do those of all programs.
void setTitleBars(bool dark);

} // namespace wb::ui
