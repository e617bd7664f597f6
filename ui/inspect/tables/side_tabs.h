// SPDX-License-Identifier: MIT
#pragma once

class QString;
class QTabWidget;
class QWidget;

namespace wb::ui::inspect {

// Tabs without a frame, as they stand inside cards and above pages.
QTabWidget* makeTabs(const QString& name, QWidget* parent);

} // namespace wb::ui::inspect
