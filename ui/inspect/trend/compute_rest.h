// SPDX-License-Identifier: MIT
#pragma once

class QPushButton;
class QWidget;

namespace wb::ui::inspect {

// The button of views over the whole model that asks for the statistics which are still missing.
QPushButton* makeComputeRest(QWidget* parent);

} // namespace wb::ui::inspect
