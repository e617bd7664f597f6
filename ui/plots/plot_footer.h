// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>

#include <functional>
#include <vector>

class QPainter;

namespace wb::ui {

// A line, a bar or a mark of a plot and its meaning.
struct LegendItem {
    QColor color;
    QString text;
};

inline constexpr int plotFooterHeight = 18; // pixels

// The last row of a plot: the legend at its left, the title of the horizontal axis at its right. Texts that do not fit are cut with
// an ellipsis; an item of which nothing would be left is omitted.
struct PlotFooter {
    struct Swatch {
        QRectF box;
        QColor color;
    };
    struct Words {
        QRectF box;
        Qt::Alignment alignment;
        QString text;
    };
    std::vector<Swatch> swatches;
    std::vector<Words> words;

    PlotFooter(const QRectF& row, const QString& axis, const std::vector<LegendItem>& legend,
               const std::function<double(const QString&)>& textWidth);
};

// As a plot painted by Qt shows it, in the color of secondary text. `up` is the title of the vertical axis, at the left of the row
// above the plot.
void paintPlotTitles(QPainter& painter, const QRectF& header, const QString& up, const QRectF& footer, const QString& across,
                     const std::vector<LegendItem>& legend = {});

} // namespace wb::ui
