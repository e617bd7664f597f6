// SPDX-License-Identifier: MIT
#include "ui/widgets/imgui/plot_words.h"

#include <QFontMetricsF>

namespace wb::ui {

QFont PlotWords::styleFont(Style style) const {
    QFont font = m_font;
    if (style == Style::Bold || style == Style::Title) font.setBold(true);
    const qreal factor = style == Style::Small ? 0.85 : style == Style::Title ? 1.2 : 1;
    if (font.pixelSize() > 0) font.setPixelSize(qRound(font.pixelSize() * factor));
    else font.setPointSizeF(font.pointSizeF() * factor);
    return font;
}

void PlotWords::add(const QRectF& box, int flags, const QString& text, const QColor& color, Style style) {
    if (!text.isEmpty()) m_items.append({box, flags, text, color, style});
}

void PlotWords::panel(const QRectF& box) { m_items.append({box, 0, {}, {}, Style::Normal}); }

QSizeF PlotWords::size(const QString& text, Style style) const { return QFontMetricsF(styleFont(style)).size(0, text); }

void PlotWords::paint(QPainter& painter, const QPalette& palette) const {
    painter.save();
    for (const Item& item : m_items) {
        if (item.text.isNull()) {
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(palette.color(QPalette::Mid), 1));
            painter.setBrush(palette.color(QPalette::Base));
            painter.drawRoundedRect(item.box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
            continue;
        }
        painter.setFont(styleFont(item.style));
        painter.setPen(item.color);
        const bool wraps = (item.flags & Qt::TextWordWrap) != 0 || item.text.contains(QLatin1Char('\n'));
        painter.drawText(item.box, item.flags,
                         wraps ? item.text
                               : QFontMetricsF(painter.font()).elidedText(item.text, Qt::ElideRight, item.box.width() + 1));
    }
    painter.restore();
}

} // namespace wb::ui
