// SPDX-License-Identifier: MIT
#include "ui/widgets/ask.h"

#include <QAbstractScrollArea>
#include <QMenu>

namespace wb::ui {

void showActionsOnRightClick(QWidget* widget) {
    widget->setContextMenuPolicy(Qt::CustomContextMenu);
    QObject::connect(widget, &QWidget::customContextMenuRequested, widget, [widget](const QPoint& place) {
        if (widget->actions().isEmpty()) return;
        auto* menu = new QMenu(widget);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addActions(widget->actions());
        const auto* area = qobject_cast<QAbstractScrollArea*>(widget); // tells positions of its contents
        menu->popup((area ? area->viewport() : widget)->mapToGlobal(place));
    });
}

} // namespace wb::ui
