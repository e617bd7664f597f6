// SPDX-License-Identifier: MIT
#include "ui/plots/plot_footer.h"

#include "ui/widgets/theme.h"

#include <QPainter>

#include <algorithm>

namespace wb::ui {
namespace {

constexpr double swatchWidth = 14, swatchHeight = 4, gap = 6, itemGap = 16, leastText = 24; // pixels

} // namespace

PlotFooter::PlotFooter(const QRectF& row, const QString& axis, const std::vector<LegendItem>& legend,
                       const std::function<double(const QString&)>& textWidth) {
    double left = row.left();
    const double axisWidth = std::min(textWidth(axis) + 2, row.width());
    const double right = row.right() - axisWidth - itemGap;
    words.push_back({QRectF(row.right() - axisWidth, row.top(), axisWidth, row.height()), Qt::AlignRight | Qt::AlignVCenter, axis});
    for (const LegendItem& item : legend) {
        const double text = left + swatchWidth + gap;
        if (right - text < leastText) return;
        const double width = std::min(textWidth(item.text) + 2, right - text);
        swatches.push_back({QRectF(left, row.center().y() - swatchHeight / 2, swatchWidth, swatchHeight), item.color});
        words.push_back({QRectF(text, row.top(), width, row.height()), Qt::AlignLeft | Qt::AlignVCenter, item.text});
        left = text + width + itemGap;
    }
}

void paintPlotTitles(QPainter& painter, const QRectF& header, const QString& up, const QRectF& footer, const QString& across,
                     const std::vector<LegendItem>& legend) {
    const QFontMetricsF metrics(painter.font());
    const PlotFooter row(footer, across, legend, [&](const QString& text) { return metrics.horizontalAdvance(text); });
    for (const PlotFooter::Swatch& swatch : row.swatches) painter.fillRect(swatch.box, swatch.color);
    painter.setPen(themeColors().muted);
    for (const PlotFooter::Words& words : row.words)
        painter.drawText(words.box, static_cast<int>(words.alignment),
                         metrics.elidedText(words.text, Qt::ElideRight, words.box.width()));
    painter.drawText(header, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(up, Qt::ElideRight, header.width()));
}

} // namespace wb::ui
