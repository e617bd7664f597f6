// SPDX-License-Identifier: MIT
#include "ui/widgets/icon_label.h"

#include "ui/widgets/icons.h"

#include <QPainter>

namespace wb::ui {

IconLabel::IconLabel(const QString& iconName, int side, QWidget* parent) : QWidget(parent), m_name(iconName) {
    setFixedSize(side, side);
}

void IconLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    icon(m_name).paint(&painter, rect(), Qt::AlignCenter, QIcon::Normal, QIcon::On);
}

} // namespace wb::ui
