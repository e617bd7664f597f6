// SPDX-License-Identifier: MIT
#include "ui/widgets/elided_label.h"

#include <QPainter>
#include <QStyle>

namespace wb::ui {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRect place = contentsRect();
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideMiddle, place.width());
    style()->drawItemText(&painter, place, QStyle::visualAlignment(layoutDirection(), alignment()), palette(), isEnabled(), shown,
                          foregroundRole());
}

} // namespace wb::ui
