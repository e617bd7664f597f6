// SPDX-License-Identifier: MIT
#include "ui/inspect/side_tabs.h"

#include <QTabBar>
#include <QTabWidget>

namespace wb::ui::inspect {

QTabWidget* makeTabs(const QString& name, QWidget* parent) {
    auto* tabs = new QTabWidget(parent);
    tabs->setObjectName(name);
    tabs->setDocumentMode(true);
    tabs->tabBar()->setDrawBase(false); // Fusion draws it in a colour of its own
    return tabs;
}

} // namespace wb::ui::inspect
