// SPDX-License-Identifier: MIT
#include "ui/plots/heat_map.h"

#include "ui/plots/plot_axis.h"
#include "ui/widgets/theme.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace wb::ui {
namespace {

constexpr double ridgeExtent = 44; // pixels
constexpr double ridgeGap = 4;

QString number(double value, int digits = 3) { return QLocale().toString(value, 'g', digits); }

// The greatest entry of a profile over the elements that one pixel covers; NaN where all of them are.
float greatest(const std::vector<float>& profile, double from, double to) {
    const auto size = static_cast<double>(profile.size());
    if (to <= 0 || from >= size) return std::nanf("");
    const auto begin = static_cast<std::size_t>(std::max(0.0, std::floor(from)));
    const auto end = static_cast<std::size_t>(std::clamp(std::ceil(to), static_cast<double>(begin) + 1, size));
    float most = std::nanf("");
    for (std::size_t i = begin; i < end; ++i) most = std::fmax(most, profile[i]);
    return most;
}

void fill(ImDrawList& list, const QRectF& rect, ImU32 colour) {
    list.AddRectFilled(plotPoint({rect.left(), rect.top()}), plotPoint({rect.right(), rect.bottom()}), colour);
}

QColor faint(QColor colour, int alpha) {
    colour.setAlpha(alpha);
    return colour;
}

} // namespace

void HeatMap::drawPlot(ImDrawList& list, PlotWords& words) {
    m_viewport.setPixels(mapPixels());
    if (!m_map) {
        words.add(QRectF(rect()).adjusted(24, 0, -24, 0), Qt::AlignCenter | Qt::TextWordWrap, m_reason, themeColours().muted);
        return;
    }
    if (m_viewport.isEmpty()) return;
    wantDetail(); // the scale of the screen may have changed
    m_layers.setColours(colours());
    {
        const PlotClip clip(list, mapPixels());
        m_layers.draw(list, m_viewport.area(), level(), m_viewport.visible(), detailFits());
    }
    drawFrame(list);
    drawRidges(list, words);
    drawAxes(list, words);
    drawLegend(list, words);
    drawReadout(words);
    drawPlace(list, words);
}

void HeatMap::drawFrame(ImDrawList& list) const {
    const QRectF pixels = mapPixels();
    const QColor colour = hasFocus() ? palette().color(QPalette::Highlight) : themeColours().border;
    list.AddRect(plotPoint({pixels.left() - 1, pixels.top() - 1}), plotPoint({pixels.right() + 1, pixels.bottom() + 1}),
                 plotColour(colour));
}

// Bars of the greatest magnitude with the root mean square inside, one a pixel.
void HeatMap::drawRidges(ImDrawList& list, PlotWords& words) const {
    const PlotArea& area = m_viewport.area();
    const QRectF pixels = area.pixels;
    const QColor accent = palette().color(QPalette::Highlight);
    const ImU32 outer = plotColour(faint(accent, 90)), inner = plotColour(accent);
    const double scale = m_map->absmax > 0 ? ridgeExtent / m_map->absmax : 0;
    const auto heights = [&](const stats::Profile& profile, double from, double to, auto bar) {
        const float absmax = greatest(profile.absmax, from, to), rms = greatest(profile.rms, from, to);
        if (std::isnan(absmax)) return;
        bar(std::max(0.5, absmax * scale), outer);
        bar(rms * scale, inner);
    };
    if (!m_map->columns.absmax.empty())
        for (double x = pixels.left(); x < pixels.right(); x += 1)
            heights(m_map->columns, area.toPlot({x, 0}).x, area.toPlot({x + 1, 0}).x,
                    [&](double height, ImU32 colour) { fill(list, {x, pixels.top() - ridgeGap - height, 1, height}, colour); });
    if (!m_map->rows.absmax.empty())
        for (double y = pixels.top(); y < pixels.bottom(); y += 1)
            heights(m_map->rows, area.toPlot({0, y}).y, area.toPlot({0, y + 1}).y,
                    [&](double height, ImU32 colour) { fill(list, {pixels.left() - ridgeGap - height, y, height, 1}, colour); });
    words.add({2, 2, pixels.left() - 8, pixels.top() - 4}, Qt::AlignRight | Qt::AlignBottom | Qt::TextWordWrap,
              tr("Largest and rms"), themeColours().muted, PlotWords::Style::Small);
}

void HeatMap::drawAxes(ImDrawList& list, PlotWords& words) const {
    const PlotArea& area = m_viewport.area();
    const QRectF pixels = area.pixels;
    const QColor muted = themeColours().muted;
    // Some of the whole numbers that are seen, about `apart` pixels from each other.
    const auto wholeTicks = [](double low, double high, double size, double scale, double apart) {
        const double first = std::max(0.0, low), last = std::min(high, size) - 1;
        std::vector<double> ticks;
        for (const double tick : niceTicks(first, last, static_cast<int>((last - first) * scale / apart)))
            if (tick == std::floor(tick)) ticks.push_back(tick);
        if (ticks.empty()) ticks.push_back(std::ceil(first));
        return ticks;
    };
    const glm::dvec2 pixelsAnElement = area.pixelsPerUnit();
    for (const double tick :
         wholeTicks(area.low.x, area.high.x, static_cast<double>(m_map->matrix.columns), pixelsAnElement.x, 64)) {
        const double x = area.toPixel({tick + 0.5, 0}).x;
        fill(list, {x, pixels.top() - 4, 1, 3}, plotColour(muted));
        words.add({x - 40, pixels.top() - ridgeGap - ridgeExtent - 18, 80, 16}, Qt::AlignHCenter | Qt::AlignVCenter,
                  QString::number(tick, 'f', 0), muted, PlotWords::Style::Small);
    }
    for (const double tick : wholeTicks(area.low.y, area.high.y, static_cast<double>(m_map->matrix.rows), pixelsAnElement.y, 40)) {
        const double y = area.toPixel({0, tick + 0.5}).y;
        fill(list, {pixels.left() - 4, y, 3, 1}, plotColour(muted));
        words.add({0, y - 8, pixels.left() - ridgeGap - ridgeExtent - 4, 16}, Qt::AlignRight | Qt::AlignVCenter,
                  QString::number(tick, 'f', 0), muted, PlotWords::Style::Small);
    }
}

void HeatMap::drawLegend(ImDrawList& list, PlotWords& words) const {
    const QRectF pixels = m_viewport.area().pixels;
    const gpu::imview::ColourScale scale = colours();
    const QColor text = palette().color(QPalette::WindowText);
    const bool bad = m_map->nan > 0 || m_map->inf > 0;
    const QRectF bar(pixels.right() + 12, pixels.top(), 12, std::max(40.0, pixels.height() - (bad ? 44 : 0)));
    constexpr int steps = 64;
    const double height = bar.height() / steps;
    for (int i = 0; i < steps; ++i) {
        const auto entry = static_cast<std::size_t>(255 * (steps - 1 - i) / (steps - 1));
        fill(list, {bar.left(), bar.top() + i * height, bar.width(), height + 0.5}, scale.colours[entry]);
    }
    list.AddRect(plotPoint({bar.left() - 1, bar.top() - 1}), plotPoint({bar.right() + 1, bar.bottom() + 1}),
                 plotColour(themeColours().border));
    const auto label = [&](double y, const QString& value) {
        words.add({bar.right() + 4, y - 8, 58, 16}, Qt::AlignLeft | Qt::AlignVCenter, value, text, PlotWords::Style::Small);
    };
    label(bar.top() + 6, number(scale.high));
    label(bar.bottom() - 6, number(scale.low));
    if (scale.low < 0) label(bar.center().y(), number(0));
    else if (scale.curve == gpu::imview::Curve::Linear) label(bar.center().y(), number(scale.high / 2));
    if (!bad) return;
    const auto swatch = [&](double y, std::uint32_t colour, const QString& name) {
        fill(list, {bar.left(), y, bar.width(), 12}, colour);
        words.add({bar.right() + 4, y - 2, 58, 16}, Qt::AlignLeft | Qt::AlignVCenter, name, text, PlotWords::Style::Small);
    };
    swatch(bar.bottom() + 10, nanColour, tr("NaN"));
    swatch(bar.bottom() + 28, positiveInfinityColour, tr("Infinite"));
}

void HeatMap::drawReadout(PlotWords& words) const {
    const QRectF pixels = mapPixels();
    words.add({8, pixels.bottom() + 4, width() - 16.0, 18}, Qt::AlignLeft | Qt::AlignVCenter, sentence(),
              m_place ? palette().color(QPalette::WindowText) : themeColours().muted);
}

void HeatMap::drawPlace(ImDrawList& list, PlotWords& words) const {
    if (!m_place) return;
    const PlotArea& area = m_viewport.area();
    const glm::dvec2 low = area.toPixel({m_place->column, m_place->row});
    const glm::dvec2 high = area.toPixel({m_place->column + 1, m_place->row + 1});
    const QRectF pixels = area.pixels;
    const ImU32 dark = plotColour(QColor(0, 0, 0)), light = plotColour(QColor(255, 255, 255));
    {
        const PlotClip clip(list, pixels);
        list.AddRect(plotPoint(low - 2.0), plotPoint(high + 2.0), dark);
        list.AddRect(plotPoint(low - 1.0), plotPoint(high + 1.0), light);
    }
    const ImU32 mark = plotColour(palette().color(QPalette::WindowText)); // in the ridges
    fill(list, {(low.x + high.x) / 2, pixels.top() - ridgeGap - ridgeExtent, 1, ridgeExtent}, mark);
    fill(list, {pixels.left() - ridgeGap - ridgeExtent, (low.y + high.y) / 2, ridgeExtent, 1}, mark);
    if (m_notePlace != m_place || m_note.isEmpty()) return;

    double width = 0;
    for (const QString& line : m_note) width = std::max(width, words.size(line, PlotWords::Style::Small).width());
    QRectF box(high.x + 12, high.y + 12, width + 20, 16.0 * static_cast<double>(m_note.size()) + 10);
    if (box.right() > pixels.right()) box.moveRight(low.x - 12);
    if (box.bottom() > pixels.bottom()) box.moveBottom(low.y - 12);
    words.panel(box);
    for (qsizetype i = 0; i < m_note.size(); ++i)
        words.add({box.left() + 8, box.top() + 5 + 16.0 * static_cast<double>(i), width + 8, 16}, Qt::AlignLeft | Qt::AlignVCenter,
                  m_note[i], palette().color(QPalette::WindowText), PlotWords::Style::Small);
}

} // namespace wb::ui
