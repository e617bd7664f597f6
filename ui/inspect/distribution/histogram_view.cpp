// SPDX-License-Identifier: MIT
#include "ui/inspect/distribution/histogram_view.h"

#include "ui/inspect/distribution/histogram.h"
#include "ui/widgets/numbers.h"
#include "ui/plots/plot_footer.h"
#include "ui/plots/series_colors.h"
#include "ui/widgets/theme.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace wb::ui::inspect {
namespace {

constexpr int readoutHeight = 18;
constexpr int markerHeight = 16; // the line of σ labels
constexpr int axisHeight = 20 + plotFooterHeight;
constexpr int axisWidth = 46;

// A logarithmic axis starts below 1, so that a single element is still seen.
constexpr double logFloor = 0.5;

QString tickText(double value) { return QLocale().toString(value, 'g', 4); }

QColor translucent(QColor color, int alpha) {
    color.setAlpha(alpha);
    return color;
}

} // namespace

HistogramView::HistogramView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("histogram"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Histogram"));
    setToolTip(tr("Move the mouse or press the arrow keys to read individual bins."));
}

void HistogramView::setStatistics(stats::StatsPtr stats, Counted counted) {
    m_stats = std::move(stats);
    m_counted = counted;
    m_largest = hasHistogram() ? *std::ranges::max_element(m_stats->histogram->counts) : 0;
    m_bin = -1;
    describe();
    update();
}

void HistogramView::setLogarithmic(bool logarithmic) {
    m_logarithmic = logarithmic;
    update();
}

void HistogramView::describe() {
    if (m_bin >= 0) setAccessibleDescription(binSentence(*m_stats, static_cast<std::size_t>(m_bin), m_counted));
    else setAccessibleDescription(m_stats ? histogramSentence(*m_stats, m_counted) : tr("No statistics yet."));
}

void HistogramView::setBin(int bin) {
    if (bin == m_bin) return;
    m_bin = bin;
    describe();
    update();
    emit currentBinChanged(bin);
}

QRectF HistogramView::plotArea() const {
    return QRectF(rect()).adjusted(axisWidth, readoutHeight + markerHeight, -10, -axisHeight);
}

PlotAxis HistogramView::valueAxis() const {
    const QRectF area = plotArea();
    return {m_stats->histogram->low, m_stats->histogram->high, area.left(), area.right()};
}

double HistogramView::height(quint64 count) const {
    if (count == 0 || m_largest == 0) return 0;
    if (!m_logarithmic) return static_cast<double>(count) / static_cast<double>(m_largest);
    const double floor = std::log10(logFloor);
    return (std::log10(static_cast<double>(count)) - floor) / (std::log10(static_cast<double>(m_largest)) - floor);
}

double HistogramView::binEdge(int bin) const {
    const QRectF area = plotArea();
    return area.left() + area.width() * bin / binCount();
}

void HistogramView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (!hasHistogram()) {
        painter.setPen(themeColors().muted);
        const QString reason = m_stats ? tr("No histogram: no element is finite.") : QString();
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, reason);
        return;
    }
    paintGrid(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    paintBars(painter);
    paintMarkers(painter);
    paintBin(painter);
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    }
}

void HistogramView::paintGrid(QPainter& painter) const {
    const ThemeColors colors = themeColors();
    const QRectF area = plotArea();
    const auto line = [&](double y, const QString& label) {
        painter.setPen(QPen(colors.border, 1));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(colors.muted);
        painter.drawText(QRectF(0, y - 8, axisWidth - 6, 16), Qt::AlignRight | Qt::AlignVCenter, label);
    };
    line(area.bottom(), QStringLiteral("0"));
    const auto largest = static_cast<double>(m_largest);
    if (m_logarithmic)
        for (double power = 1; power <= largest; power *= largest > 1e5 ? 100 : 10)
            line(area.bottom() - area.height() * height(static_cast<quint64>(power)), shownShortCount(static_cast<quint64>(power)));
    else
        for (const double tick : niceTicks(0, largest, std::max(2, static_cast<int>(area.height() / 36))))
            if (tick > 0 && tick == std::floor(tick)) // there is no half element
                line(area.bottom() - area.height() * tick / largest, shownShortCount(static_cast<quint64>(tick)));

    painter.setPen(colors.muted);
    const PlotAxis axis = valueAxis();
    for (const double tick : niceTicks(axis.low, axis.high, std::max(2, static_cast<int>(area.width() / 70)))) {
        const double x = axis.pixel(tick);
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 3));
        painter.drawText(QRectF(x - 40, area.bottom() + 3, 80, 17), Qt::AlignHCenter | Qt::AlignTop, tickText(tick));
    }
}

void HistogramView::paintBars(QPainter& painter) const {
    const QRectF area = plotArea();
    QPainterPath outline(area.bottomLeft());
    for (int bin = 0; bin < binCount(); ++bin) {
        const double top = area.bottom() - area.height() * height(m_stats->histogram->counts[static_cast<std::size_t>(bin)]);
        outline.lineTo(binEdge(bin), top);
        outline.lineTo(binEdge(bin + 1), top);
    }
    outline.lineTo(area.bottomRight());
    const QColor color = seriesColors()[0];
    painter.fillPath(outline, translucent(color, 90));
    painter.setPen(QPen(color, 1));
    painter.drawPath(outline);
}

void HistogramView::paintMarkers(QPainter& painter) const {
    if (!m_stats->mean || !m_stats->std) return;
    const ThemeColors colors = themeColors();
    const QRectF area = plotArea();
    const PlotAxis axis = valueAxis();
    double labelEnd = -1e9;
    for (const int sigma : {-6, -3, -1, 0, 1, 3, 6}) {
        const double value = *m_stats->mean + sigma * *m_stats->std;
        if (value < axis.low || value > axis.high || (sigma != 0 && *m_stats->std == 0)) continue;
        const double x = axis.pixel(value);
        painter.setPen(
            QPen(sigma == 0 ? palette().color(QPalette::WindowText) : colors.muted, 1, sigma == 0 ? Qt::SolidLine : Qt::DashLine));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        const QString label = sigma == 0 ? QStringLiteral("μ")
                                         : QStringLiteral("%1%2σ").arg(sigma < 0 ? QChar(0x2212) : QChar('+')).arg(std::abs(sigma));
        const double width = painter.fontMetrics().horizontalAdvance(label);
        if (x - width / 2 < labelEnd + 4) continue; // labels never run into each other
        painter.drawText(QRectF(x - 20, area.top() - markerHeight, 40, markerHeight - 2), Qt::AlignHCenter | Qt::AlignBottom,
                         label);
        labelEnd = x + width / 2;
    }
}

void HistogramView::paintBin(QPainter& painter) const {
    const QRectF area = plotArea();
    if (m_bin >= 0) {
        const double width = std::max(1.5, binEdge(m_bin + 1) - binEdge(m_bin));
        painter.fillRect(QRectF(binEdge(m_bin), area.top(), width, area.height()),
                         translucent(palette().color(QPalette::Highlight), 60));
    }
    painter.setPen(m_bin >= 0 ? palette().color(QPalette::WindowText) : themeColors().muted);
    const QString text = m_bin >= 0 ? binSentence(*m_stats, static_cast<std::size_t>(m_bin), m_counted)
                                    : tr("%1 bins from %2 to %3")
                                          .arg(shownCount(static_cast<quint64>(binCount())), shownNumber(m_stats->histogram->low),
                                               shownNumber(m_stats->histogram->high));
    const QString title = m_counted == Counted::Groups ? tr("Groups") : m_counted == Counted::Codes ? tr("Codes") : tr("Elements");
    const double titleWidth = painter.fontMetrics().horizontalAdvance(title) + 12;
    const QRectF line(8 + titleWidth, 0, width() - 16 - titleWidth, readoutHeight);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(line.width())));
    std::vector<LegendItem> legend;
    if (m_stats->mean && m_stats->std) legend.push_back({themeColors().muted, tr("Mean μ and multiples of σ")});
    paintPlotTitles(painter, {8, 0, titleWidth, readoutHeight}, title,
                    {area.left(), QWidget::height() - static_cast<double>(plotFooterHeight), area.width(), plotFooterHeight},
                    tr("Value"), legend);
}

void HistogramView::mouseMoveEvent(QMouseEvent* event) {
    if (!hasHistogram()) return;
    const QRectF area = plotArea();
    const double part = (event->position().x() - area.left()) / area.width();
    setBin(part < 0 || part > 1 ? -1 : std::min(binCount() - 1, static_cast<int>(part * binCount())));
}

void HistogramView::leaveEvent(QEvent*) {
    if (!hasFocus()) setBin(-1);
}

void HistogramView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void HistogramView::keyPressEvent(QKeyEvent* event) {
    if (!hasHistogram()) return QWidget::keyPressEvent(event);
    const int last = binCount() - 1;
    const int page = std::max(1, binCount() / 16);
    switch (event->key()) {
    case Qt::Key_Left: return setBin(std::max(0, m_bin - 1));
    case Qt::Key_Right: return setBin(std::min(last, m_bin + 1));
    case Qt::Key_PageUp: return setBin(std::max(0, m_bin - page));
    case Qt::Key_PageDown: return setBin(std::min(last, m_bin + page));
    case Qt::Key_Home: return setBin(0);
    case Qt::Key_End: return setBin(last);
    case Qt::Key_Escape: return setBin(-1);
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace wb::ui::inspect
