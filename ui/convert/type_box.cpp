// SPDX-License-Identifier: MIT
#include "ui/convert/type_box.h"

#include <QAbstractItemView>
#include <QKeyEvent>
#include <QGuiApplication>
#include <QTimer>

#include <utility>

namespace wb::ui::convert {

TypeBox::TypeBox(QWidget* parent) : QComboBox(parent) {
    connect(this, &QComboBox::activated, this, [this] {
        m_chosen = true;
        end();
    });
}

void TypeBox::showPopup() {
    if (!view()->isVisible()) QComboBox::showPopup();
}

// A choice is reported only after the list is closed.
void TypeBox::hidePopup() {
    const bool wasOpen = view()->isVisible();
    QComboBox::hidePopup();
    if (wasOpen) QTimer::singleShot(0, this, &TypeBox::end);
}

void TypeBox::end() {
    if (!std::exchange(m_ended, true)) emit ended();
}

// The table has yet to put the editor in its place.
void TypeBox::showEvent(QShowEvent* event) {
    QComboBox::showEvent(event);
    QTimer::singleShot(0, this, &TypeBox::open);
}

// The end of the double click that began the editing must not choose the content under it.
void TypeBox::open() {
    if (QGuiApplication::mouseButtons() == Qt::NoButton) showPopup();
    else QTimer::singleShot(10, this, &TypeBox::open);
}

// The table hands on the key that began the editing.
void TypeBox::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return event->ignore();
    showPopup();
    if (!event->text().isEmpty() && event->text().at(0).isPrint()) view()->keyboardSearch(event->text());
}

void TypeBox::wheelEvent(QWheelEvent* event) { event->ignore(); }

} // namespace wb::ui::convert
