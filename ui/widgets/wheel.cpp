// SPDX-License-Identifier: MIT
#include "ui/widgets/wheel.h"

#include <QEvent>
#include <QWidget>

namespace wb::ui {
namespace {

class WheelFilter : public QObject {
public:
    explicit WheelFilter(QWidget* widget) : QObject(widget), m_widget(widget) { widget->installEventFilter(this); }

    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::Wheel || m_widget->hasFocus()) return false;
        event->ignore(); // for the page around it
        return true;
    }

private:
    QWidget* m_widget;
};

} // namespace

void needFocusForWheel(QWidget* widget) {
    widget->setFocusPolicy(Qt::StrongFocus);
    new WheelFilter(widget);
}

} // namespace wb::ui
