// SPDX-License-Identifier: MIT
#include "ui/inspect/map/model_map_view.h"

#include "ui/widgets/numbers.h"
#include "ui/plots/color_map.h"
#include "ui/widgets/theme.h"

#include <QKeyEvent>
#include <QLinearGradient>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace wb::ui::inspect {
namespace {

constexpr int labelWidth = 108;
constexpr int readoutHeight = 22;
constexpr int legendHeight = 20;
constexpr int axisHeight = 18;
constexpr double largestCell = 30;

QColor ofTable(std::uint32_t packed) { return {int(packed & 255), int(packed >> 8 & 255), int(packed >> 16 & 255)}; }

} // namespace

ModelMapView::ModelMapView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("modelMap"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Model map"));
}

void ModelMapView::setMap(const QString& statistic, ModelMap map, const QString& emptyReason) {
    m_statistic = statistic;
    m_map = std::move(map);
    m_emptyReason = emptyReason;
    if (!at(m_place)) m_place = {};
    setAccessibleDescription(sentence());
    update();
}

const TrendPoint* ModelMapView::at(const Place& place) const {
    if (place.line < 0 || place.line >= static_cast<int>(m_map.lines.size())) return nullptr;
    const auto& points = m_map.lines[static_cast<std::size_t>(place.line)].points;
    const auto found = std::ranges::find(points, static_cast<std::uint64_t>(place.layer), &TrendPoint::position);
    return found == points.end() ? nullptr : &*found;
}

QRectF ModelMapView::cellRect(std::size_t line, std::uint64_t layer) const {
    const double width = std::min(largestCell, (this->width() - labelWidth - 8.0) / std::max(1u, m_map.layers));
    const double height = std::min(largestCell, (this->height() - readoutHeight - axisHeight - legendHeight - 2.0) /
                                                    static_cast<double>(std::max<std::size_t>(1, m_map.lines.size())));
    return {labelWidth + static_cast<double>(layer) * width, readoutHeight + static_cast<double>(line) * height, width, height};
}

// Values of both signs share one distance from zero; the others spread over the line's own range.
QColor ModelMapView::cellColor(const TrendLine& line, double value) {
    double low = value, high = value;
    for (const TrendPoint& point : line.points) {
        low = std::min(low, point.value);
        high = std::max(high, point.value);
    }
    const bool isSigned = low < 0 && high > 0;
    const double most = std::max(std::abs(low), std::abs(high));
    const double part = isSigned ? (value / most + 1) / 2 : high > low ? (value - low) / (high - low) : 0.5;
    return ofTable((isSigned ? signedColors() : magnitudeColors())[static_cast<std::size_t>(std::lround(part * 255))]);
}

QString ModelMapView::sentence() const {
    if (m_map.lines.empty()) return m_emptyReason;
    const TrendPoint* point = at(m_place);
    if (!point)
        return tr("%1 of %2 over %3; %4.")
            .arg(m_statistic, tr("%n module(s)", nullptr, static_cast<int>(m_map.lines.size())),
                 tr("%n layer(s)", nullptr, static_cast<int>(m_map.layers)),
                 tr("%n outlier tensor(s)", nullptr, static_cast<int>(m_map.outliers.size())));
    const QString text = tr("%1, layer %2: %3")
                             .arg(m_map.lines[static_cast<std::size_t>(m_place.line)].title)
                             .arg(point->position)
                             .arg(shownNumber(point->value));
    return point->tensors == 1 ? text : tr("%1 (mean of %n tensor(s))", nullptr, static_cast<int>(point->tensors)).arg(text);
}

void ModelMapView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors theme = themeColors();
    if (m_map.lines.empty()) {
        painter.setPen(theme.muted);
        painter.drawText(rect().adjusted(24, 0, -24, 0), Qt::AlignCenter | Qt::TextWordWrap, m_emptyReason);
        return;
    }
    for (std::size_t line = 0; line < m_map.lines.size(); ++line) paintLine(painter, line);
    const double bottom = cellRect(m_map.lines.size(), 0).top();
    const auto step = static_cast<std::uint32_t>(std::ceil(28 / std::max(1.0, cellRect(0, 0).width())));
    painter.setPen(theme.muted);
    painter.drawText(QRectF(4, bottom + 1, labelWidth - 10, axisHeight), Qt::AlignRight | Qt::AlignTop, tr("Layer"));
    for (std::uint32_t layer = 0; layer < m_map.layers; layer += step) {
        const QRectF cell = cellRect(0, layer);
        painter.drawText(QRectF(cell.center().x() - 20, bottom + 1, 40, axisHeight), Qt::AlignHCenter | Qt::AlignTop,
                         QString::number(layer));
    }
    painter.setBrush(Qt::NoBrush);
    if (at(m_place)) {
        painter.setPen(QPen(palette().color(QPalette::WindowText), 2));
        painter.drawRect(
            cellRect(static_cast<std::size_t>(m_place.line), static_cast<std::uint32_t>(m_place.layer)).adjusted(-1, -1, 1, 1));
    }
    painter.setPen(at(m_place) ? palette().color(QPalette::WindowText) : theme.muted);
    painter.drawText(QRectF(8, 0, width() - 16, readoutHeight), Qt::AlignLeft | Qt::AlignVCenter, sentence());
    paintLegend(painter);
    if (!hasFocus()) return;
    painter.setPen(palette().color(QPalette::Highlight));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

// Each line has its own range, so the scale says places in it, not numbers; frames mark what the table of outliers lists.
void ModelMapView::paintLegend(QPainter& painter) const {
    const bool isSigned = std::ranges::any_of(m_map.lines, [](const TrendLine& line) {
        const auto [low, high] = std::ranges::minmax(line.points, {}, &TrendPoint::value);
        return low.value < 0 && high.value > 0;
    });
    const QStringList words =
        isSigned ? QStringList{tr("negative"), tr("positive, per module")} : QStringList{tr("min"), tr("max per module")};
    const QFontMetrics metrics = painter.fontMetrics();
    const auto& colors = isSigned ? signedColors() : magnitudeColors();
    const double top = height() - legendHeight + 2.0;
    double x = labelWidth;
    const auto write = [&](const QString& text) {
        painter.setPen(themeColors().muted);
        painter.drawText(QRectF(x, top, metrics.horizontalAdvance(text) + 4, 14), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += metrics.horizontalAdvance(text) + 8;
    };
    write(words[0]);
    QLinearGradient bar(x, 0, x + 80, 0);
    for (int stop = 0; stop <= 8; ++stop) bar.setColorAt(stop / 8.0, ofTable(colors[static_cast<std::size_t>(stop * 255 / 8)]));
    painter.fillRect(QRectF(x, top + 2, 80, 10), bar);
    x += 88;
    write(words[1]);
    painter.setPen(QPen(themeColors().error, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(x + 8, top + 2, 10, 10));
    x += 26;
    write(tr("outlier"));
}

void ModelMapView::paintLine(QPainter& painter, std::size_t line) const {
    const TrendLine& shown = m_map.lines[line];
    const QRectF first = cellRect(line, 0);
    if (first.height() >= 9) {
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QRectF(4, first.top() - 4, labelWidth - 10, first.height() + 8), Qt::AlignRight | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(shown.title, Qt::ElideRight, labelWidth - 10));
    }
    for (const TrendPoint& point : shown.points) {
        const QRectF cell = cellRect(line, point.position).adjusted(0.5, 0.5, -0.5, -0.5);
        painter.setPen(themeColors().border); // the palest color is that of the light theme's ground
        painter.setBrush(cellColor(shown, point.value));
        painter.drawRect(cell);
        const bool isOutlier = std::ranges::any_of(m_map.outliers, [&](const OutlierTensor& one) {
            return one.part == shown.title && one.point.position == point.position;
        });
        if (!isOutlier) continue;
        painter.setPen(QPen(themeColors().error, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(cell.adjusted(1, 1, -1, -1));
    }
}

void ModelMapView::setPlace(const Place& place) {
    if (place == m_place) return;
    m_place = place;
    setCursor(at(place) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setAccessibleDescription(sentence());
    update();
}

void ModelMapView::choose() {
    if (const TrendPoint* point = at(m_place)) emit tensorChosen(point->tensor);
}

void ModelMapView::mouseMoveEvent(QMouseEvent* event) {
    if (m_map.lines.empty()) return;
    const QRectF first = cellRect(0, 0);
    const double layer = (event->position().x() - first.left()) / first.width(),
                 line = (event->position().y() - first.top()) / first.height();
    const Place place{static_cast<int>(std::floor(line)), static_cast<int>(std::floor(layer))};
    setPlace(layer >= 0 && at(place) ? place : Place{});
}

void ModelMapView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) choose();
}

void ModelMapView::leaveEvent(QEvent*) {
    if (!hasFocus()) setPlace({});
}

void ModelMapView::keyPressEvent(QKeyEvent* event) {
    if (m_map.lines.empty()) return QWidget::keyPressEvent(event);
    const auto move = [this](int lines, int layers) {
        if (m_place.line < 0) return setPlace({0, static_cast<int>(m_map.lines[0].points[0].position)});
        Place place = m_place; // over gaps, to the next cell in that direction
        do place = {place.line + lines, place.layer + layers};
        while (!at(place) && place.line >= 0 && place.line < static_cast<int>(m_map.lines.size()) && place.layer >= 0 &&
               place.layer < static_cast<int>(m_map.layers));
        if (at(place)) setPlace(place);
    };
    switch (event->key()) {
    case Qt::Key_Left: return move(0, -1);
    case Qt::Key_Right: return move(0, 1);
    case Qt::Key_Up: return move(-1, 0);
    case Qt::Key_Down: return move(1, 0);
    case Qt::Key_Return:
    case Qt::Key_Enter: return choose();
    case Qt::Key_Escape: return setPlace({});
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace wb::ui::inspect
