// SPDX-License-Identifier: MIT
#pragma once

namespace wb::ui {

// Keeps Qt on Linux from making the stems of fonts with PostScript outlines, as those for Chinese are, bolder than those of other
// fonts. To be called before the first text is drawn; does nothing on other systems.
void keepStemsEven();

} // namespace wb::ui
