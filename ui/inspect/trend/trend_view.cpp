// SPDX-License-Identifier: MIT
#include "ui/inspect/trend/trend_view.h"

#include "ui/widgets/numbers.h"
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

constexpr int legendWidth = 132;
constexpr int legendLineHeight = 17;
constexpr int axisWidth = 76; // with the title of the axis
constexpr int titleWidth = 18;
constexpr int axisHeight = 22;
constexpr int readoutHeight = 22;
constexpr double reach = 24; // pixels from which the mouse takes a point

QString axisTitle(TrendAxis axis) {
    switch (axis) {
    case TrendAxis::Layer: return TrendView::tr("Layer");
    case TrendAxis::Step: return TrendView::tr("Step");
    case TrendAxis::Epoch: return TrendView::tr("Epoch");
    case TrendAxis::Checkpoint: break;
    }
    return TrendView::tr("Checkpoint");
}

// %1 over positions %2 to %3, between %4 and %5.
QString rangeSentence(TrendAxis axis) {
    switch (axis) {
    case TrendAxis::Layer: return TrendView::tr("%1 over layers %2 to %3, between %4 and %5.");
    case TrendAxis::Step: return TrendView::tr("%1 over steps %2 to %3, between %4 and %5.");
    case TrendAxis::Epoch: return TrendView::tr("%1 over epochs %2 to %3, between %4 and %5.");
    case TrendAxis::Checkpoint: break;
    }
    return TrendView::tr("%1 over checkpoints %2 to %3, between %4 and %5.");
}

// %1 at position %2: %3
QString pointSentence(TrendAxis axis) {
    switch (axis) {
    case TrendAxis::Layer: return TrendView::tr("%1, layer %2: %3");
    case TrendAxis::Step: return TrendView::tr("%1, step %2: %3");
    case TrendAxis::Epoch: return TrendView::tr("%1, epoch %2: %3");
    case TrendAxis::Checkpoint: break;
    }
    return TrendView::tr("%1, checkpoint %2: %3");
}

} // namespace

TrendView::TrendView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("trend"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Layer trend"));
}

void TrendView::setTrend(const QString& statistic, std::vector<TrendLine> lines, const QString& emptyReason) {
    m_statistic = statistic;
    m_emptyReason = emptyReason;
    m_lines = std::move(lines);
    if (m_place.line >= static_cast<int>(m_lines.size()) ||
        (m_place.line >= 0 && m_place.point >= static_cast<int>(m_lines[static_cast<std::size_t>(m_place.line)].points.size())))
        m_place = {};
    fitAxes();
}

void TrendView::fitAxes() {
    m_positions = {1e300, -1e300};
    m_values = {1e300, -1e300};
    for (std::size_t line = 0; line < m_lines.size(); ++line) {
        if (isHidden(line)) continue;
        for (const TrendPoint& point : m_lines[line].points) {
            m_positions = {std::min(m_positions.low, static_cast<double>(point.position)),
                           std::max(m_positions.high, static_cast<double>(point.position))};
            m_values = {std::min(m_values.low, point.value), std::max(m_values.high, point.value)};
        }
    }
    setAccessibleDescription(sentence());
    update();
}

void TrendView::setHiddenLines(const QSet<QString>& titles) {
    m_hidden = titles;
    fitAxes();
}

void TrendView::setLineHidden(const QString& title, bool isHidden) {
    if (isHidden) m_hidden.insert(title);
    else m_hidden.remove(title);
    fitAxes();
}

void TrendView::toggleLine(int line) {
    const auto index = static_cast<std::size_t>(line);
    setLineHidden(m_lines[index].title, !isHidden(index));
}

void TrendView::setAxis(TrendAxis axis) {
    m_axis = axis;
    setAccessibleDescription(sentence());
    update();
}

void TrendView::setLogarithmic(bool isLogarithmic) {
    m_isLogarithmic = isLogarithmic;
    update();
}

double TrendView::scaled(double value) const { return hasLogAxis() ? std::log10(value) : value; }

const TrendPoint& TrendView::at(const Place& place) const {
    return m_lines[static_cast<std::size_t>(place.line)].points[static_cast<std::size_t>(place.point)];
}

QRectF TrendView::plotArea() const { return QRectF(rect()).adjusted(axisWidth, readoutHeight + 2, -legendWidth - 12, -axisHeight); }

PlotAxis TrendView::positionAxis() const {
    const QRectF area = plotArea();
    return {m_positions.low, m_positions.high, area.left() + 6, area.right() - 6};
}

PlotAxis TrendView::valueAxis() const {
    const QRectF area = plotArea();
    return {scaled(m_values.low), scaled(m_values.high), area.bottom() - 6, area.top() + 6};
}

QPointF TrendView::position(const TrendPoint& point) const {
    return {positionAxis().pixel(static_cast<double>(point.position)), valueAxis().pixel(scaled(point.value))};
}

QString TrendView::sentence() const {
    if (isEmpty()) return m_emptyReason;
    if (m_place.line >= 0 && !isPointShown())
        return tr("%1 is hidden; the space bar or a click on its name shows it.")
            .arg(m_lines[static_cast<std::size_t>(m_place.line)].title);
    if (!hasShownLines()) return tr("All lines are hidden; a click on a name in the legend shows one.");
    if (m_place.line < 0)
        return rangeSentence(m_axis).arg(m_statistic, shownNumber(m_positions.low), shownNumber(m_positions.high),
                                         shownNumber(m_values.low), shownNumber(m_values.high));
    const TrendPoint& point = at(m_place);
    const QString title = m_lines[static_cast<std::size_t>(m_place.line)].title;
    const QString text = pointSentence(m_axis).arg(title).arg(point.position).arg(shownNumber(point.value));
    return point.tensors == 1 ? text : tr("%1 (mean of %n tensor(s))", nullptr, static_cast<int>(point.tensors)).arg(text);
}

void TrendView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (isEmpty()) {
        painter.setPen(themeColors().muted);
        painter.drawText(rect().adjusted(24, 0, -24, 0), Qt::AlignCenter | Qt::TextWordWrap, m_emptyReason);
        return;
    }
    if (hasShownLines()) paintGrid(painter);
    paintTitles(painter);
    for (std::size_t line = 0; line < m_lines.size(); ++line)
        if (static_cast<int>(line) != m_place.line && !isHidden(line)) paintLine(painter, line);
    if (isPointShown()) {
        paintLine(painter, static_cast<std::size_t>(m_place.line));
        painter.setPen(QPen(palette().color(QPalette::WindowText), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(position(at(m_place)), 5, 5);
    }
    paintLegend(painter);
    painter.setPen(m_place.line >= 0 ? palette().color(QPalette::WindowText) : themeColors().muted);
    const QRectF line(axisWidth, 2, width() - axisWidth - 8, readoutHeight - 4);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(sentence(), Qt::ElideRight, static_cast<int>(line.width())));
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    }
}

void TrendView::paintGrid(QPainter& painter) const {
    const ThemeColors colors = themeColors();
    const QRectF area = plotArea();
    const PlotAxis values = valueAxis();
    for (const double tick : niceTicks(values.low, values.high, std::max(2, static_cast<int>(area.height() / 36)))) {
        const double y = values.pixel(tick);
        painter.setPen(QPen(tick == 0 && !hasLogAxis() ? colors.muted : colors.border, 1));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(colors.muted);
        painter.drawText(QRectF(titleWidth, y - 8, axisWidth - titleWidth - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                         QLocale().toString(hasLogAxis() ? std::pow(10, tick) : tick, 'g', hasLogAxis() ? 3 : 4));
    }
    const PlotAxis positions = positionAxis();
    painter.setPen(colors.muted);
    for (const double tick : niceTicks(positions.low, positions.high, std::max(2, static_cast<int>(area.width() / 60)))) {
        if (tick != std::floor(tick)) continue; // there is no layer or step 1.5
        painter.drawText(QRectF(positions.pixel(tick) - 30, area.bottom() + 4, 60, axisHeight - 4), Qt::AlignHCenter | Qt::AlignTop,
                         QLocale().toString(tick, 'f', 0));
    }
}

void TrendView::paintTitles(QPainter& painter) const {
    const QRectF area = plotArea();
    painter.setPen(themeColors().muted);
    painter.drawText(QRectF(area.right() + 12, area.bottom() + 4, legendWidth, axisHeight - 4), Qt::AlignLeft | Qt::AlignTop,
                     axisTitle(m_axis));
    painter.save();
    painter.translate(0, area.bottom());
    painter.rotate(-90);
    painter.drawText(QRectF(0, 0, area.height(), titleWidth), Qt::AlignCenter,
                     painter.fontMetrics().elidedText(m_statistic, Qt::ElideRight, static_cast<int>(area.height())));
    painter.restore();
}

void TrendView::paintLine(QPainter& painter, std::size_t line) const {
    const auto colors = seriesColors();
    const bool chosen = static_cast<int>(line) == m_place.line;
    QColor color = colors[line % colors.size()];
    if (isPointShown() && !chosen) color.setAlpha(110);
    QPainterPath path;
    for (std::size_t i = 0; i < m_lines[line].points.size(); ++i) {
        const QPointF point = position(m_lines[line].points[i]);
        if (i == 0) path.moveTo(point);
        else path.lineTo(point);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, chosen ? 2.5 : 1.6, seriesDash(line), Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(path);
    if (static_cast<double>(m_lines[line].points.size()) * 4 > plotArea().width()) return; // dots would hide the line
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    for (const TrendPoint& point : m_lines[line].points) painter.drawEllipse(position(point), 2, 2);
}

void TrendView::paintLegend(QPainter& painter) const {
    const std::size_t shown = countLegendEntries();
    for (std::size_t line = 0; line < shown; ++line) paintLegendEntry(painter, line);
    if (shown == m_lines.size()) return;
    painter.setPen(themeColors().muted);
    const double y = readoutHeight + 2 + static_cast<double>(shown) * legendLineHeight;
    painter.drawText(QRectF(width() - legendWidth + 25, y, legendWidth - 30, legendLineHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("%n more", nullptr, static_cast<int>(m_lines.size() - shown)));
}

// A hidden line is struck out and has no sample.
void TrendView::paintLegendEntry(QPainter& painter, std::size_t line) const {
    const auto colors = seriesColors();
    const QRectF entry = legendEntry(line);
    const bool isLineHidden = isHidden(line);
    QFont named = font();
    named.setStrikeOut(isLineHidden);
    painter.setFont(named);
    if (!isLineHidden) {
        painter.setPen(QPen(colors[line % colors.size()], 2.5, seriesDash(line)));
        painter.drawLine(QPointF(entry.left(), entry.center().y()), QPointF(entry.left() + 18, entry.center().y()));
    }
    painter.setPen(isLineHidden ? themeColors().muted : palette().color(QPalette::WindowText));
    painter.drawText(entry.adjusted(25, 0, -5, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(m_lines[line].title, Qt::ElideMiddle, legendWidth - 30));
    painter.setFont(font());
}

std::size_t TrendView::countLegendEntries() const {
    const auto fitting = static_cast<std::size_t>(std::max(1, (height() - readoutHeight - axisHeight - 4) / legendLineHeight));
    return m_lines.size() <= fitting ? m_lines.size() : fitting - 1;
}

QRectF TrendView::legendEntry(std::size_t line) const {
    if (line >= countLegendEntries()) return {};
    return {static_cast<double>(width() - legendWidth), readoutHeight + 2 + static_cast<double>(line) * legendLineHeight,
            legendWidth, legendLineHeight};
}

TrendView::Place TrendView::nearest(const QPointF& where) const {
    Place best;
    double bestDistance = reach;
    for (std::size_t line = 0; line < m_lines.size(); ++line)
        for (std::size_t i = 0; i < m_lines[line].points.size() && !isHidden(line); ++i) {
            const QPointF difference = position(m_lines[line].points[i]) - where;
            const double distance = std::hypot(difference.x(), difference.y());
            if (distance >= bestDistance) continue;
            bestDistance = distance;
            best = {static_cast<int>(line), static_cast<int>(i)};
        }
    return best;
}

int TrendView::legendLineAt(const QPointF& where) const {
    for (std::size_t line = 0; line < m_lines.size(); ++line)
        if (legendEntry(line).contains(where)) return static_cast<int>(line);
    return -1;
}

void TrendView::setPlace(const Place& place) {
    if (place == m_place) return;
    m_place = place;
    setCursor(place.line >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setAccessibleDescription(sentence());
    update();
}

void TrendView::mouseMoveEvent(QMouseEvent* event) {
    if (isEmpty()) return;
    const int line = legendLineAt(event->position());
    setPlace(line >= 0 ? Place{line, 0} : nearest(event->position()));
}

void TrendView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const int line = legendLineAt(event->position());
    if (line >= 0) toggleLine(line);
    else choose();
}

void TrendView::leaveEvent(QEvent*) {
    if (!hasFocus()) setPlace({});
}

void TrendView::choose() {
    if (isPointShown()) emit tensorChosen(at(m_place).tensor);
}

void TrendView::moveLine(int step) {
    const int lines = static_cast<int>(m_lines.size());
    const int line = m_place.line < 0 ? 0 : std::clamp(m_place.line + step, 0, lines - 1);
    const int points = static_cast<int>(m_lines[static_cast<std::size_t>(line)].points.size());
    setPlace({line, std::min(m_place.point, points - 1)});
}

void TrendView::keyPressEvent(QKeyEvent* event) {
    if (isEmpty()) return QWidget::keyPressEvent(event);
    const auto movePoint = [this](int step) {
        if (m_place.line < 0) return moveLine(0);
        const int points = static_cast<int>(m_lines[static_cast<std::size_t>(m_place.line)].points.size());
        setPlace({m_place.line, std::clamp(m_place.point + step, 0, points - 1)});
    };
    switch (event->key()) {
    case Qt::Key_Left: return movePoint(-1);
    case Qt::Key_Right: return movePoint(1);
    case Qt::Key_Up: return moveLine(-1);
    case Qt::Key_Down: return moveLine(1);
    case Qt::Key_Return:
    case Qt::Key_Enter: return choose();
    case Qt::Key_Space: return m_place.line < 0 ? moveLine(0) : toggleLine(m_place.line);
    case Qt::Key_Escape: return setPlace({});
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace wb::ui::inspect
