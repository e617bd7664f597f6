// SPDX-License-Identifier: MIT
#include "ui/inspect/tables/side_tabs.h"

#include <QTabBar>
#include <QTabWidget>

namespace wb::ui::inspect {
namespace {

// All that a tab widget paints in document mode is a piece of Fusion's base line beside a corner widget.
class Tabs : public QTabWidget {
public:
    using QTabWidget::QTabWidget;

protected:
    void paintEvent(QPaintEvent*) override {}
};

} // namespace

QTabWidget* makeTabs(const QString& name, QWidget* parent) {
    auto* tabs = new Tabs(parent);
    tabs->setObjectName(name);
    tabs->setDocumentMode(true);
    tabs->tabBar()->setDrawBase(false); // Fusion draws it in a colour of its own
    return tabs;
}

} // namespace wb::ui::inspect
