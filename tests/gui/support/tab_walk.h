// SPDX-License-Identifier: MIT
#pragma once

#include <QAccessible>
#include <QApplication>
#include <QImage>
#include <QScrollArea>
#include <QTest>
#include <QWidget>

namespace wb::test {

inline QString describe(const QWidget* widget) {
    return widget ? QLatin1String(widget->metaObject()->className()) + u' ' + widget->objectName() : QStringLiteral("nothing");
}

// What Tab reaches in an active window, in its order, until one comes again. A text goes through its links first; a widget that
// keeps the key for itself ends the walk.
inline QList<QWidget*> walkByTab(QWidget& window) {
    constexpr int maxLinks = 200;
    window.setFocus();
    QTest::keyClick(&window, Qt::Key_Tab);
    QList<QWidget*> visited;
    for (QWidget* now = QApplication::focusWidget(); now && !visited.contains(now); now = QApplication::focusWidget()) {
        visited.append(now);
        for (int i = 0; i < maxLinks && QApplication::focusWidget() == now; ++i) QTest::keyClick(now, Qt::Key_Tab);
    }
    return visited;
}

// What a screen reader says of it, beside its kind.
inline QString spokenName(QWidget* widget) {
    const QAccessibleInterface* const spoken = QAccessible::queryAccessibleInterface(widget);
    return spoken ? spoken->text(QAccessible::Name) : QString();
}

// Whether one sees that the widget has the focus: it lies within its window and looks otherwise than without.
inline bool showsFocus(QWidget& widget, QWidget& other) {
    for (QWidget* parent = widget.parentWidget(); parent; parent = parent->parentWidget()) // as Tab does
        if (auto* area = qobject_cast<QScrollArea*>(parent)) area->ensureWidgetVisible(&widget);
    if (widget.visibleRegion().isEmpty()) return false;
    widget.setFocus(Qt::TabFocusReason);
    const QImage with = widget.grab().toImage();
    other.setFocus(Qt::TabFocusReason);
    return widget.grab().toImage() != with;
}

// The sentence of the first widget of the window that Tab does not reach, that has no name or that does not show its focus; empty:
// there is none.
inline QString keyboardTrouble(QWidget& window) {
    const QList<QWidget*> visited = walkByTab(window);
    if (visited.size() < 3) return QStringLiteral("Tab reaches %1 widgets").arg(visited.size());
    for (qsizetype i = 0; i < visited.size(); ++i) {
        QWidget& widget = *visited[i];
        if (spokenName(&widget).trimmed().isEmpty()) return QStringLiteral("no name: %1").arg(describe(&widget));
        if (!showsFocus(widget, *visited[(i + 1) % visited.size()]))
            return QStringLiteral("no focus seen: %1").arg(describe(&widget));
    }
    const auto isPart = [](const QWidget* widget) { // of a number or a choice, which takes its focus
        return widget->focusProxy() ||
               (widget->parentWidget() && widget->parentWidget()->focusPolicy() != Qt::NoFocus &&
                (widget->parentWidget()->inherits("QAbstractSpinBox") || widget->parentWidget()->inherits("QComboBox") ||
                 widget->parentWidget()->inherits("QLineEdit")));
    };
    for (QWidget* widget : window.findChildren<QWidget*>())
        if ((widget->focusPolicy() & Qt::TabFocus) && widget->isVisible() && widget->isEnabled() && !isPart(widget) &&
            widget->window() == &window && !visited.contains(widget))
            return QStringLiteral("not reached: %1").arg(describe(widget));
    return {};
}

} // namespace wb::test
