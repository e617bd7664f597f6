// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/icons.h"

#include <QPushButton>

namespace wb::ui::convert {

// A button with an icon and a text; tests find it by its name.
inline QPushButton* makeNamedButton(QWidget* parent, const char* name, const char* iconName, const QString& text) {
    auto* button = new QPushButton(icon(QLatin1String(iconName)), text, parent);
    button->setObjectName(QLatin1String(name));
    return button;
}

} // namespace wb::ui::convert
