// SPDX-License-Identifier: MIT
#include "ui/convert/quantize/mix_plot.h"

#include "ui/plots/plot_axis.h"
#include "ui/plots/plot_footer.h"
#include "ui/plots/series_colors.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/theme.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::ui::convert {

using namespace wb::quantize;

namespace {

constexpr double axisWidth = 56;
constexpr double readoutHeight = 20;
constexpr double axisHeight = 20 + plotFooterHeight;
constexpr double reach = 14;        // pixels from a point at which it is still meant
constexpr double minError = 0.0005; // what loses less is drawn at the bottom

QString percentText(double error) { return MixPlot::tr("%1%").arg(QLocale().toString(error * 100, 'g', 3)); }

// Ticks are round in the unit that they are written in.
double unitFromBytes(double bytes) {
    double unit = 1;
    while (bytes / unit >= 2000) unit *= 1000;
    return unit;
}

} // namespace

MixPlot::MixPlot(const MixSession& mixes, QWidget* parent) : QWidget(parent), m_mixes(mixes) {
    setObjectName(QStringLiteral("mixPlot"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Error vs. size of each quantization type"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    connect(&mixes, &MixSession::changed, this, &MixPlot::readPoints);
    readPoints();
}

void MixPlot::readPoints() {
    m_points.clear();
    m_current = -1;
    if (const MixTable* const table = m_mixes.table()) {
        for (std::size_t i = 0; i < table->rows.size(); ++i) {
            const MixRow& row = table->rows[i];
            const auto error = table->isWeighted ? row.weightedError : row.relativeError;
            if (error && row.bytes < table->sourceBytes * 2)
                m_points.push_back({static_cast<int>(i), static_cast<double>(row.bytes), *error});
        }
        std::ranges::sort(m_points, {}, &Point::bytes);
        // F32 and its kind would press all others together; lossless types need no plot.
        std::erase_if(m_points, [](const Point& point) { return point.error <= minError; });
        m_largestFile = m_points.empty() ? 1 : m_points.back().bytes * 1.05;
        m_highest = m_lowest = minError;
        for (const Point& point : m_points) m_highest = std::max(m_highest, point.error * 2.5);
    }
    setAccessibleDescription(sentence());
    update();
}

void MixPlot::setCurrent(int point) {
    if (point == m_current) return;
    m_current = point;
    setAccessibleDescription(sentence());
    update();
}

QString MixPlot::sentence() const {
    const MixTable* const table = m_mixes.table();
    if (!table || m_points.empty()) return tr("No quantization type measured yet.");
    const auto say = [&](const Point& point) {
        const auto row = static_cast<std::size_t>(point.row);
        return tr("%1: %2, error %3")
            .arg(QString::fromLatin1(quant::info(table->rows[row].type).name), fileSizeText(table->rows[row].bytes),
                 percentText(point.error));
    };
    if (m_current >= 0) return say(m_points[static_cast<std::size_t>(m_current)]);
    return tr("From %1 to %2; the line shows the best achievable error for each size.")
        .arg(say(m_points.front()), say(m_points.back()));
}

QRectF MixPlot::area() const { return QRectF(rect()).adjusted(axisWidth, readoutHeight + 2, -12, -axisHeight); }

// Errors on a logarithm: from one mix to the next they change by a factor.
QPointF MixPlot::pixel(double bytes, double error) const {
    const QRectF plot = area();
    const double share = std::log(std::max(error, m_lowest) / m_lowest) / std::log(std::max(m_highest / m_lowest, 1.001));
    return {plot.left() + plot.width() * bytes / m_largestFile, plot.bottom() - plot.height() * share};
}

int MixPlot::pointAt(const QPointF& at) const {
    int best = -1;
    double nearest = reach;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const QPointF away = pixel(m_points[i].bytes, m_points[i].error) - at;
        const double distance = std::hypot(away.x(), away.y());
        if (distance >= nearest) continue;
        nearest = distance;
        best = static_cast<int>(i);
    }
    return best;
}

void MixPlot::paintAxes(QPainter& painter) const {
    const ThemeColors colors = themeColors();
    const QRectF plot = area();
    const auto line = [&](const QPointF& from, const QPointF& to, const QRectF& box, int flags, const QString& text) {
        painter.setPen(QPen(colors.border, 1));
        painter.drawLine(from, to);
        painter.setPen(colors.muted);
        painter.drawText(box, flags, text);
    };
    for (const double error : {0.001, 0.01, 0.1, 1.0}) {
        if (error < m_lowest || error > m_highest) continue;
        const double y = pixel(0, error).y();
        line({plot.left(), y}, {plot.right(), y}, {0, y - 8, axisWidth - 6, 16}, Qt::AlignRight | Qt::AlignVCenter,
             percentText(error));
    }
    const double unit = unitFromBytes(m_largestFile);
    const PlotAxis axis{0, m_largestFile / unit, plot.left(), plot.right()};
    for (const double tick : niceTicks(0, m_largestFile / unit, std::max(3, static_cast<int>(plot.width() / 110)))) {
        if (tick <= 0) continue;
        const double bytes = tick * unit, x = axis.pixel(tick);
        line({x, plot.top()}, {x, plot.bottom()}, {x - 50, plot.bottom() + 2, 100, 18}, Qt::AlignCenter,
             fileSizeText(static_cast<quint64>(bytes)));
    }
}

void MixPlot::paintPoints(QPainter& painter) const {
    const auto colors = seriesColors();
    QPainterPath curve;
    for (const MixPoint& point : m_mixes.table()->curve) {
        if (point.error <= 0 || static_cast<double>(point.bytes) > m_largestFile) continue;
        const QPointF at = pixel(static_cast<double>(point.bytes), point.error);
        if (curve.elementCount() == 0) curve.moveTo(at);
        else curve.lineTo(at);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors[1], 2));
    painter.setClipRect(area());
    painter.drawPath(curve);
    painter.setClipping(false);
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const double radius = isEmphasized(i) ? 5.5 : 3.5;
        painter.setPen(Qt::NoPen);
        painter.setBrush(static_cast<int>(i) == m_current ? palette().color(QPalette::WindowText) : colors[0]);
        painter.drawEllipse(pixel(m_points[i].bytes, m_points[i].error), radius, radius);
    }
    paintNames(painter);
}

bool MixPlot::isEmphasized(std::size_t point) const {
    const auto row = static_cast<std::size_t>(m_points[point].row);
    return static_cast<int>(point) == m_current || (m_mixes.advice() && m_mixes.advice()->row == row);
}

// Names that would lie over a point or over another name are omitted; those of the emphasized points are always there.
void MixPlot::paintNames(QPainter& painter) const {
    std::vector<QRectF> taken;
    for (const Point& point : m_points) taken.push_back(QRectF(pixel(point.bytes, point.error), QSizeF()).adjusted(-4, -4, 4, 4));
    const auto paint = [&](std::size_t i) {
        const auto& row = m_mixes.table()->rows[static_cast<std::size_t>(m_points[i].row)];
        const QString name = QString::fromLatin1(quant::info(row.type).name);
        const QPointF at = pixel(m_points[i].bytes, m_points[i].error);
        const QRectF box(at.x() + 6, at.y() - 19, painter.fontMetrics().horizontalAdvance(name) + 4, 14);
        const bool isFree =
            box.right() <= width() && std::ranges::none_of(taken, [&](const QRectF& one) { return one.intersects(box); });
        if (!isEmphasized(i) && !isFree) return;
        painter.setPen(isEmphasized(i) ? palette().color(QPalette::WindowText) : themeColors().muted);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, name);
        taken.push_back(box);
    };
    for (const bool isFirst : {true, false})
        for (std::size_t i = 0; i < m_points.size(); ++i)
            if (isEmphasized(i) == isFirst) paint(i);
}

void MixPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), themeColors().surface);
    if (m_mixes.table() && !m_points.empty()) {
        paintAxes(painter);
        paintPoints(painter);
    }
    painter.setPen(m_current >= 0 ? palette().color(QPalette::WindowText) : themeColors().muted);
    const QString title = tr("Relative error");
    const double titleWidth = painter.fontMetrics().horizontalAdvance(title) + 16;
    const QRectF line(8 + titleWidth, 0, width() - 16 - titleWidth, readoutHeight);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(sentence(), Qt::ElideRight, static_cast<int>(line.width())));
    if (m_mixes.table() && !m_points.empty())
        paintPlotTitles(painter, {8, 0, titleWidth, readoutHeight}, title,
                        {area().left(), height() - static_cast<double>(plotFooterHeight), area().width(), plotFooterHeight},
                        tr("File size"), {{seriesColors()[0], tr("Types")}, {seriesColors()[1], tr("Best mix for each size")}});
    if (!hasFocus()) return;
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void MixPlot::mouseMoveEvent(QMouseEvent* event) { setCurrent(pointAt(event->position())); }

void MixPlot::mousePressEvent(QMouseEvent* event) {
    setCurrent(pointAt(event->position()));
    if (m_current >= 0) emit mixChosen(m_points[static_cast<std::size_t>(m_current)].row);
}

void MixPlot::leaveEvent(QEvent*) { setCurrent(-1); }

void MixPlot::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(m_points.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Left: return setCurrent(std::min(last, std::max(0, m_current - 1)));
    case Qt::Key_Right: return setCurrent(std::min(last, m_current + 1));
    case Qt::Key_Home: return setCurrent(std::min(0, last));
    case Qt::Key_End: return setCurrent(last);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current >= 0) emit mixChosen(m_points[static_cast<std::size_t>(m_current)].row);
        return;
    default: QWidget::keyPressEvent(event);
    }
}

void MixPlot::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void MixPlot::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

} // namespace wb::ui::convert
