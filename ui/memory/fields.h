// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

class QComboBox;
class QFormLayout;
class QSpinBox;
class QWidget;

namespace wb::ui::memory {

// The fields of a panel of settings: they take the wheel only when they have the focus, and a number counts when it is complete.
QSpinBox* makeSpin(QWidget* parent, const char* name, int least, int most, int step);
QComboBox* makeBox(QWidget* parent, const char* name);

// A form whose labels are above the fields, and their texts, which are the fields' accessible names too.
QFormLayout* makeForm(QWidget* parent);
void setLabel(QFormLayout* form, QWidget* field, const QString& text);

} // namespace wb::ui::memory
