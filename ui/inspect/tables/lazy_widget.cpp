// SPDX-License-Identifier: MIT
#include "ui/inspect/tables/lazy_widget.h"

#include <QVBoxLayout>

#include <utility>

namespace wb::ui::inspect {

LazyWidget::LazyWidget(std::function<QWidget*(QWidget* parent)> make, QWidget* parent) : QWidget(parent), m_make(std::move(make)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
}

void LazyWidget::showEvent(QShowEvent* event) {
    if (const auto make = std::exchange(m_make, nullptr)) layout()->addWidget(make(this));
    QWidget::showEvent(event);
}

} // namespace wb::ui::inspect
