// SPDX-License-Identifier: MIT
#include "ui/widgets/tabs.h"

#include <QTabBar>
#include <QVBoxLayout>

#include <utility>

namespace wb::ui {
namespace {

// In document mode a tab widget paints only a piece of Fusion's base line next to a corner widget.
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
    tabs->tabBar()->setDrawBase(false); // Fusion draws it in its own color
    return tabs;
}

LazyWidget::LazyWidget(std::function<QWidget*(QWidget* parent)> make, QWidget* parent) : QWidget(parent), m_make(std::move(make)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
}

void LazyWidget::showEvent(QShowEvent* event) {
    if (const auto make = std::exchange(m_make, nullptr)) layout()->addWidget(make(this));
    QWidget::showEvent(event);
}

} // namespace wb::ui
