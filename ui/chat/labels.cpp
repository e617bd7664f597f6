// SPDX-License-Identifier: MIT
#include "ui/chat/labels.h"

#include <QLabel>

namespace wb::ui::chat {

QLabel* makeTextLabel(QWidget* parent, const char* name) {
    auto* label = new QLabel(parent);
    label->setObjectName(QLatin1String(name));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

} // namespace wb::ui::chat
