// SPDX-License-Identifier: MIT
#pragma once

class QComboBox;
class QString;

namespace wb::ui {

// Gives a combo box without a visible label its name for screen readers. On Linux (AT-SPI) Qt reports the chosen entry instead of
// the accessible name and takes the name from a label, so this adds a hidden one. Call it when the box has its final parent; `name`
// is translated already.
void nameBox(QComboBox* box, const QString& name);

} // namespace wb::ui
