// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>
#include <QFont>
#include <QList>
#include <QPainter>
#include <QPalette>
#include <QRectF>

namespace wb::ui {

// The words of one frame of a plot, painted by Qt over its picture: the right font, shaping and script at every scale, which Dear
// ImGui does not have. They are collected while the frame is drawn, because its picture comes later and must not meet the words of
// another. Coordinates are logical pixels of the widget.
class PlotWords {
public:
    enum class Style { Normal, Bold, Small, Title };

    explicit PlotWords(const QFont& font = {}) : m_font(font) {}

    // `flags` as for QPainter::drawText: alignment, Qt::TextWordWrap. Text that is wider than the box is cut with an ellipsis,
    // unless it wraps.
    void add(const QRectF& box, int flags, const QString& text, const QColor& color, Style style = Style::Normal);

    // The ground of a tooltip, under the words that are added after it.
    void panel(const QRectF& box);

    QSizeF size(const QString& text, Style style = Style::Normal) const;
    void paint(QPainter& painter, const QPalette& palette) const;

private:
    struct Item {
        QRectF box;
        int flags = 0;
        QString text; // null: a panel
        QColor color;
        Style style = Style::Normal;
    };
    QFont styleFont(Style style) const;

    QFont m_font;
    QList<Item> m_items;
};

} // namespace wb::ui
