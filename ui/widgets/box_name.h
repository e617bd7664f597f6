// SPDX-License-Identifier: MIT
#pragma once

class QComboBox;
class QString;

namespace wb::ui {

// Names a box that has no label of its own for screen readers. Qt tells them the chosen entry in the place of the accessible name where
// AT-SPI is used (Linux) and leaves the name to a label: so there is one, which nobody sees. To be called where the box has the parent
// that it keeps; `name` is translated already.
void nameBox(QComboBox* box, const QString& name);

} // namespace wb::ui
