// SPDX-License-Identifier: MIT
#include "ui/widgets/box_name.h"

#include <QComboBox>
#include <QLabel>

namespace wb::ui {

void nameBox(QComboBox* box, const QString& name) {
    box->setAccessibleName(name);
    auto* label = new QLabel(name, box->parentWidget());
    label->setTextFormat(Qt::PlainText);
    label->setBuddy(box);
    label->hide();
}

} // namespace wb::ui
