// SPDX-License-Identifier: MIT
#include "ui/inspect/compare/difference_map.h"

#include "ui/plots/color_map.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/theme.h"

#include <QImage>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace wb::ui::inspect {
namespace {

constexpr int readoutHeight = 18;

// The first of `count` things that falls into part `i` of `parts`.
std::uint64_t firstIn(std::size_t i, std::size_t parts, std::uint64_t count) { return (i * count + parts - 1) / parts; }

QString rangeText(std::size_t i, std::size_t parts, std::uint64_t count) {
    const std::uint64_t first = firstIn(i, parts, count), last = firstIn(i + 1, parts, count) - 1;
    return first == last ? shownCount(first) : DifferenceMap::tr("%1 to %2").arg(shownCount(first), shownCount(last));
}

QRgb cellColor(float value, double limit) {
    const double place = limit > 0 ? (double{value} / limit + 1) / 2 : 0.5;
    const std::uint32_t color = signedColors()[static_cast<std::size_t>(std::clamp(place, 0.0, 1.0) * 255)]; // 0xAABBGGRR
    return qRgb(static_cast<int>(color & 0xFF), static_cast<int>(color >> 8 & 0xFF), static_cast<int>(color >> 16 & 0xFF));
}

} // namespace

DifferenceMap::DifferenceMap(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("differenceMap"));
    setAccessibleName(tr("Difference map"));
    setToolTip(tr("Move the mouse or press the arrow keys to read individual cells."));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void DifferenceMap::setDetail(std::shared_ptr<const diff::Detail> detail) {
    m_detail = std::move(detail);
    m_cell.reset();
    setAccessibleDescription(sentence());
    update();
}

QString DifferenceMap::sentence() const {
    if (!m_detail) return {};
    if (!m_cell)
        return m_detail->limit == 0 ? tr("No difference in the elements that were read")
                                    : tr("A − B up to ±%1: blue is negative, red positive").arg(shownNumber(m_detail->limit));
    const QString cell = tr("Rows %1, columns %2: %3");
    const float difference = value(*m_cell);
    return cell.arg(rangeText(m_cell->row, m_detail->mapRows, m_detail->rows),
                    rangeText(m_cell->column, m_detail->mapColumns, m_detail->rowLength),
                    std::isnan(difference) ? tr("no finite difference") : shownNumber(double{difference}));
}

QRectF DifferenceMap::mapArea() const { return QRectF(rect()).adjusted(2, readoutHeight + 2, -2, -2); }

void DifferenceMap::read(std::optional<Position> cell) {
    if (cell == m_cell) return;
    m_cell = cell;
    setAccessibleDescription(sentence());
    update();
}

void DifferenceMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (!m_detail) return;
    painter.setPen(m_cell ? palette().color(QPalette::WindowText) : themeColors().muted);
    const QRectF line(4, 0, width() - 8, readoutHeight);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(sentence(), Qt::ElideRight, static_cast<int>(line.width())));
    QImage image(static_cast<int>(m_detail->mapColumns), static_cast<int>(m_detail->mapRows), QImage::Format_RGB32);
    for (std::size_t i = 0; i < m_detail->map.size(); ++i)
        image.setPixel(static_cast<int>(i % m_detail->mapColumns), static_cast<int>(i / m_detail->mapColumns),
                       std::isnan(m_detail->map[i]) ? themeColors().border.rgb() : cellColor(m_detail->map[i], m_detail->limit));
    const QRectF area = mapArea();
    painter.drawImage(area, image);
    if (m_cell) {
        const double wide = area.width() / static_cast<double>(m_detail->mapColumns);
        const double high = area.height() / static_cast<double>(m_detail->mapRows);
        painter.setPen(QPen(palette().color(QPalette::WindowText), 1.5));
        painter.drawRect(QRectF(area.left() + static_cast<double>(m_cell->column) * wide,
                                area.top() + static_cast<double>(m_cell->row) * high, wide, high));
    }
    if (!hasFocus()) return;
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void DifferenceMap::mouseMoveEvent(QMouseEvent* event) {
    const QRectF area = mapArea();
    if (!m_detail || !area.contains(event->position())) return read(std::nullopt);
    const auto part = [](double at, double length, std::size_t parts) {
        return std::min(parts - 1, static_cast<std::size_t>(at / length * static_cast<double>(parts)));
    };
    read(Position{part(event->position().y() - area.top(), area.height(), m_detail->mapRows),
                  part(event->position().x() - area.left(), area.width(), m_detail->mapColumns)});
}

void DifferenceMap::leaveEvent(QEvent*) {
    if (!hasFocus()) read(std::nullopt);
}

// By the keyboard one starts at the worst cell.
void DifferenceMap::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
    if (!m_detail || m_cell || event->reason() == Qt::MouseFocusReason) return;
    std::size_t worst = 0;
    for (std::size_t i = 0; i < m_detail->map.size(); ++i)
        if (std::fabs(m_detail->map[i]) > std::fabs(m_detail->map[worst]) || std::isnan(m_detail->map[worst])) worst = i;
    read(Position{worst / m_detail->mapColumns, worst % m_detail->mapColumns});
}

void DifferenceMap::keyPressEvent(QKeyEvent* event) {
    if (!m_detail || !m_cell) return QWidget::keyPressEvent(event);
    Position cell = *m_cell;
    switch (event->key()) {
    case Qt::Key_Left: cell.column -= cell.column > 0; break;
    case Qt::Key_Right: cell.column += cell.column + 1 < m_detail->mapColumns; break;
    case Qt::Key_Up: cell.row -= cell.row > 0; break;
    case Qt::Key_Down: cell.row += cell.row + 1 < m_detail->mapRows; break;
    default: return QWidget::keyPressEvent(event);
    }
    read(cell);
}

} // namespace wb::ui::inspect
