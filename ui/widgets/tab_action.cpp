// SPDX-License-Identifier: MIT
#include "ui/widgets/tab_action.h"

#include "ui/widgets/icons.h"

namespace wb::ui {

QAction* tabAction(QObject* owner, const char* iconName, const QKeySequence& shortcut) {
    auto* action = new QAction(icon(QLatin1String(iconName)), QString(), owner);
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    return action;
}

} // namespace wb::ui
