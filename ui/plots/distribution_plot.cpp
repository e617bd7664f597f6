// SPDX-License-Identifier: MIT
#include "ui/plots/distribution_plot.h"

#include "ui/plots/plot_footer.h"

#include "ui/widgets/theme.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace wb::ui {
namespace {

constexpr double leftMargin = 56, topMargin = 42, rightMargin = 44, bottomMargin = 34;
constexpr double linearPart = 1.0 / 300; // of the greatest magnitude, where symmetric logarithms are linear
constexpr int keySteps = 128;            // presses from one end to the other

QString number(double value, int digits = 4) { return QLocale().toString(value, 'g', digits); }

QColor faint(QColor color, int alpha) {
    color.setAlpha(alpha);
    return color;
}

void vertical(ImDrawList& list, double x, double top, double bottom, const QColor& color) {
    list.AddLine(plotPoint({x, top}), plotPoint({x, bottom}), plotColor(color));
}

} // namespace

DistributionPlot::DistributionPlot(QWidget* parent) : ImGuiWidget(parent) {
    setObjectName(QStringLiteral("distribution"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Distribution"));
}

void DistributionPlot::setDistribution(std::optional<Distribution> distribution, const QString& reason) {
    m_shown = std::move(distribution);
    m_reason = reason;
    m_bin = -1;
    prepare();
}

void DistributionPlot::setLogarithmicCounts(bool logarithmic) {
    m_logCounts = logarithmic;
    prepare();
}

void DistributionPlot::setSymmetricLogarithm(bool logarithmic) {
    m_symmetricLog = logarithmic;
    prepare();
}

void DistributionPlot::setCumulative(bool shown) {
    m_cumulative = shown;
    prepare();
}

double DistributionPlot::edge(int bin) const {
    const stats::Histogram& histogram = m_shown->histogram;
    const double part = static_cast<double>(bin) / binCount();
    return histogram.low * (1 - part) + histogram.high * part;
}

double DistributionPlot::place(double value) const {
    if (!m_symmetricLog) return value;
    const stats::Histogram& histogram = m_shown->histogram;
    const double most = std::max(std::abs(histogram.low), std::abs(histogram.high));
    return most > 0 ? std::asinh(value / (most * linearPart)) : 0;
}

// Below 1 on a logarithmic axis, so that a single element is still seen.
double DistributionPlot::height(double count) const {
    if (!m_logCounts) return count;
    return count > 0 ? std::log10(count) - std::log10(0.5) : 0;
}

// Bins of unequal width on the axis are drawn by density, scaled so that the greatest is the greatest count: their areas are
// honest.
void DistributionPlot::prepare() {
    m_edges.clear();
    m_heights.clear();
    m_curve.clear();
    m_total = 0;
    requestFrame();
    if (isEmpty()) return setAccessibleDescription(m_reason);
    const auto& counts = m_shown->histogram.counts;
    double densest = 0, most = 0;
    for (int bin = 0; bin <= binCount(); ++bin) m_edges.push_back(place(edge(bin)));
    if (m_edges.front() == m_edges.back()) { // a constant gets some width
        for (int bin = 0; bin <= binCount(); ++bin)
            m_edges[static_cast<std::size_t>(bin)] += static_cast<double>(bin) / binCount() - 0.5;
    }
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        const double count = static_cast<double>(counts[bin]);
        const double width = m_edges[bin + 1] - m_edges[bin];
        m_heights.push_back(width > 0 ? count / width : 0);
        densest = std::max(densest, m_heights.back());
        most = std::max(most, count);
        m_curve.push_back({m_edges[bin], m_total});
        m_total += count;
    }
    m_curve.push_back({m_edges.back(), m_total});
    for (double& density : m_heights) density = height(densest > 0 ? density / densest * most : 0);
    for (glm::dvec2& point : m_curve) point.y /= std::max(m_total, 1.0);
    m_top = std::max(height(most), 1e-9) * 1.05;
    setAccessibleDescription(sentence());
}

QRectF DistributionPlot::plotPixels() const {
    return QRectF(rect()).adjusted(leftMargin, topMargin, -rightMargin, -bottomMargin - plotFooterHeight);
}

PlotArea DistributionPlot::area(double top) const {
    PlotArea area;
    area.pixels = plotPixels();
    area.low = {m_edges.front(), 0};
    area.high = {m_edges.back(), top};
    area.flipped = true;
    return area;
}

QString DistributionPlot::sentence() const {
    if (isEmpty()) return m_reason;
    return m_bin >= 0 ? binSentence() : wholeSentence();
}

QString DistributionPlot::binSentence() const {
    const auto form = [this] {
        switch (m_shown->counted) {
        case Counted::Groups: return tr("%1 to %2: %3 groups (%4%)");
        case Counted::Codes: return tr("%1 to %2: %3 codes (%4%)");
        case Counted::Elements: break;
        }
        return tr("%1 to %2: %3 elements (%4%)");
    };
    const quint64 count = m_shown->histogram.counts[static_cast<std::size_t>(m_bin)];
    const QLocale locale;
    return form().arg(number(edge(m_bin)), number(edge(m_bin + 1)), locale.toString(count),
                      locale.toString(100.0 * static_cast<double>(count) / std::max(m_total, 1.0), 'g', 3));
}

QString DistributionPlot::wholeSentence() const {
    const auto form = [this] {
        switch (m_shown->counted) {
        case Counted::Groups: return tr("%1 groups from %2 to %3");
        case Counted::Codes: return tr("%1 codes from %2 to %3");
        case Counted::Elements: break;
        }
        return tr("%1 elements from %2 to %3");
    };
    if (m_total == 1 && m_shown->counted == Counted::Elements) return tr("One element: %1").arg(number(m_shown->histogram.low));
    return form().arg(QLocale().toString(m_total, 'f', 0), number(m_shown->histogram.low), number(m_shown->histogram.high));
}

void DistributionPlot::drawPlot(ImDrawList& list, PlotWords& words) {
    const ThemeColors theme = themeColors();
    if (isEmpty() || plotPixels().width() < 20) {
        words.add(QRectF(rect()).adjusted(16, 0, -16, 0), Qt::AlignCenter | Qt::TextWordWrap, m_reason, theme.muted);
        return;
    }
    drawAxes(list, words);
    drawFooter(list, words);
    const PlotArea bars = area(m_top);
    const QColor accent = palette().color(QPalette::Highlight);
    {
        const PlotClip clip(list, bars.pixels);
        drawBars(list, bars, m_edges, m_heights, plotColor(faint(accent, 130)), plotColor(accent));
        if (m_cumulative) drawLine(list, area(1.0), m_curve, plotColor(theme.warning), 1.5F);
    }
    drawMarkers(list, words);
    if (m_bin >= 0) {
        const glm::dvec2 low = bars.toPixel({m_edges[static_cast<std::size_t>(m_bin)], 0});
        const glm::dvec2 high = bars.toPixel({m_edges[static_cast<std::size_t>(m_bin) + 1], 0});
        list.AddRectFilled(plotPoint({low.x, bars.pixels.top()}), plotPoint({std::max(high.x, low.x + 1.5), bars.pixels.bottom()}),
                           plotColor(faint(palette().color(QPalette::WindowText), 60)));
    }
    const double title = words.size(countTitle()).width() + 16;
    words.add({8, 2, title, 18}, Qt::AlignLeft | Qt::AlignVCenter, countTitle(), theme.muted);
    words.add({8 + title, 2, width() - 16.0 - title, 18}, Qt::AlignRight | Qt::AlignVCenter, sentence(),
              m_bin >= 0 ? palette().color(QPalette::WindowText) : theme.muted);
}

QString DistributionPlot::countTitle() const {
    switch (m_shown->counted) {
    case Counted::Groups: return tr("Groups");
    case Counted::Codes: return tr("Codes");
    case Counted::Elements: break;
    }
    return tr("Elements");
}

void DistributionPlot::drawFooter(ImDrawList& list, PlotWords& words) const {
    const ThemeColors theme = themeColors();
    std::vector<LegendItem> legend = {{palette().color(QPalette::Highlight), countTitle()}};
    if (m_cumulative) legend.push_back({theme.warning, tr("Cumulative share")});
    if (!m_shown->levels.empty()) legend.push_back({theme.good, tr("Quantization levels")});
    if (m_shown->mean && m_shown->std) legend.push_back({theme.muted, tr("Mean μ and multiples of σ")});
    const QRectF row(leftMargin, QWidget::height() - plotFooterHeight, width() - leftMargin - 8, plotFooterHeight);
    const PlotFooter footer(row, m_shown->counted == Counted::Codes ? tr("Code") : tr("Value"), legend,
                            [&](const QString& text) { return words.size(text).width(); });
    for (const PlotFooter::Swatch& swatch : footer.swatches)
        list.AddRectFilled(plotPoint({swatch.box.left(), swatch.box.top()}), plotPoint({swatch.box.right(), swatch.box.bottom()}),
                           plotColor(swatch.color));
    for (const PlotFooter::Words& word : footer.words)
        words.add(word.box, static_cast<int>(word.alignment), word.text, theme.muted);
}

void DistributionPlot::drawAxes(ImDrawList& list, PlotWords& words) const {
    const ThemeColors theme = themeColors();
    const PlotArea bars = area(m_top);
    const QRectF pixels = bars.pixels;
    const auto line = [&](double count, const QString& label) {
        const double y = bars.toPixel({0, height(count)}).y;
        list.AddLine(plotPoint({pixels.left(), y}), plotPoint({pixels.right(), y}), plotColor(theme.border));
        words.add({0, y - 8, leftMargin - 6, 16}, Qt::AlignRight | Qt::AlignVCenter, label, theme.muted, PlotWords::Style::Small);
    };
    line(0, QStringLiteral("0"));
    const double most = m_logCounts ? 0.5 * std::pow(10, m_top / 1.05) : m_top / 1.05;
    const QLocale locale;
    if (m_logCounts)
        for (double power = 1; power <= most; power *= most > 1e5 ? 100 : 10) line(power, locale.toString(power, 'f', 0));
    else
        for (const double tick : niceTicks(0, most, std::max(2, static_cast<int>(pixels.height() / 36))))
            if (tick > 0 && tick == std::floor(tick)) line(tick, locale.toString(tick, 'f', 0));

    std::vector<double> ticks;
    const stats::Histogram& histogram = m_shown->histogram;
    if (!m_symmetricLog) {
        ticks = niceTicks(histogram.low, histogram.high, std::max(2, static_cast<int>(pixels.width() / 80)));
    } else {
        const double largest =
            std::pow(10, std::floor(std::log10(std::max({std::abs(histogram.low), std::abs(histogram.high), 1e-300}))));
        for (const double value : {-largest, -largest / 10, -largest / 100, 0.0, largest / 100, largest / 10, largest})
            if (value >= histogram.low && value <= histogram.high) ticks.push_back(value);
    }
    double end = -1e9;
    for (const double tick : ticks) {
        const double x = bars.toPixel({place(tick), 0}).x;
        if (x - 30 < end) continue;
        vertical(list, x, pixels.bottom(), pixels.bottom() + 4, theme.muted);
        words.add({x - 40, pixels.bottom() + 14, 80, 16}, Qt::AlignHCenter | Qt::AlignTop, number(tick), theme.muted,
                  PlotWords::Style::Small);
        end = x + 30;
    }
    if (m_cumulative)
        for (const int percent : {0, 50, 100})
            words.add({pixels.right() + 4, area(100).toPixel({0, percent}).y - 8, rightMargin - 6, 16},
                      Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("%1%").arg(percent), theme.warning, PlotWords::Style::Small);
}

void DistributionPlot::drawMarkers(ImDrawList& list, PlotWords& words) const {
    const ThemeColors theme = themeColors();
    const PlotArea bars = area(m_top);
    const QRectF pixels = bars.pixels;
    for (const double level : m_shown->levels) {
        if (level < m_shown->histogram.low || level > m_shown->histogram.high) continue;
        const double x = bars.toPixel({place(level), 0}).x;
        vertical(list, x, pixels.bottom() + 4, pixels.bottom() + 12, theme.good);
        vertical(list, x, pixels.top(), pixels.bottom(), faint(theme.good, 60));
    }
    if (!m_shown->mean || !m_shown->std) return;
    double labelEnd = -1e9;
    for (const int sigma : {-6, -3, -1, 0, 1, 3, 6}) {
        const double value = *m_shown->mean + sigma * *m_shown->std;
        if (value < m_shown->histogram.low || value > m_shown->histogram.high || (sigma != 0 && *m_shown->std == 0)) continue;
        const double x = bars.toPixel({place(value), 0}).x;
        const QColor color = sigma == 0 ? palette().color(QPalette::WindowText) : theme.muted;
        vertical(list, x, pixels.top(), pixels.bottom(), faint(color, 150));
        const QString label = sigma == 0 ? QStringLiteral("μ")
                                         : QStringLiteral("%1%2σ").arg(sigma < 0 ? QChar(0x2212) : QChar('+')).arg(std::abs(sigma));
        const double width = words.size(label, PlotWords::Style::Small).width();
        if (x - width / 2 < labelEnd + 4) continue; // labels never run into each other
        words.add({x - 24, pixels.top() - 18, 48, 16}, Qt::AlignHCenter | Qt::AlignVCenter, label, color, PlotWords::Style::Small);
        labelEnd = x + width / 2;
    }
}

void DistributionPlot::setBin(int bin) {
    if (bin == m_bin) return;
    m_bin = bin;
    setAccessibleDescription(sentence());
    requestFrame();
}

void DistributionPlot::mouseMoveEvent(QMouseEvent* event) {
    ImGuiWidget::mouseMoveEvent(event);
    if (isEmpty()) return;
    const double x = area(m_top).toPlot({event->position().x(), 0}).x;
    const auto after = std::ranges::upper_bound(m_edges, x);
    const auto bin = static_cast<int>(after - m_edges.begin()) - 1;
    setBin(plotPixels().contains(event->position()) && bin >= 0 && bin < binCount() ? bin : -1);
}

void DistributionPlot::leaveEvent(QEvent* event) {
    ImGuiWidget::leaveEvent(event);
    if (!hasFocus()) setBin(-1);
}

void DistributionPlot::keyPressEvent(QKeyEvent* event) {
    if (isEmpty()) return ImGuiWidget::keyPressEvent(event);
    const int step = std::max(1, binCount() / keySteps), last = binCount() - 1;
    switch (event->key()) {
    case Qt::Key_Left: return setBin(std::max(0, m_bin - step));
    case Qt::Key_Right: return setBin(std::min(last, m_bin + step));
    case Qt::Key_PageUp: return setBin(std::max(0, m_bin - 8 * step));
    case Qt::Key_PageDown: return setBin(std::min(last, m_bin + 8 * step));
    case Qt::Key_Home: return setBin(0);
    case Qt::Key_End: return setBin(last);
    case Qt::Key_Escape: return setBin(-1);
    default: ImGuiWidget::keyPressEvent(event);
    }
}

} // namespace wb::ui
