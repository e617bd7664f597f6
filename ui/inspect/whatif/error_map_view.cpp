// SPDX-License-Identifier: MIT
#include "ui/inspect/whatif/error_map_view.h"

#include "ui/widgets/numbers.h"
#include "ui/widgets/theme.h"

#include <QHelpEvent>
#include <QImage>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace wb::ui::inspect {
namespace {

QColor mixed(const QColor& from, const QColor& to, double part) {
    const auto channel = [part](int a, int b) { return static_cast<int>(a + (b - a) * part); };
    return QColor(channel(from.red(), to.red()), channel(from.green(), to.green()), channel(from.blue(), to.blue()));
}

// The first of `count` things that falls into part `i` of `parts`.
std::uint64_t firstOfPart(std::size_t i, std::size_t parts, std::uint64_t count) { return (i * count + parts - 1) / parts; }

} // namespace

ErrorMapView::ErrorMapView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("errorMap"));
    setMinimumSize(120, 80);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Error map"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void ErrorMapView::setMap(const quant::ErrorMap& map, const Shape& shape) {
    m_map = map;
    m_rows = shape.rows();
    m_rowLength = shape.rowLength();
    if (m_cell && (m_cell->row >= m_map.rows || m_cell->column >= m_map.columns)) m_cell.reset();
    setAccessibleDescription(sentence());
    update();
}

QString ErrorMapView::sentence() const {
    if (!m_cell || m_map.cells.empty()) return {};
    const auto shown = [](std::uint64_t number) { return shownCount(number); };
    const QString place =
        tr("Rows %1 to %2, columns %3 to %4")
            .arg(shown(firstOfPart(m_cell->row, m_map.rows, m_rows)), shown(firstOfPart(m_cell->row + 1, m_map.rows, m_rows) - 1),
                 shown(firstOfPart(m_cell->column, m_map.columns, m_rowLength)),
                 shown(firstOfPart(m_cell->column + 1, m_map.columns, m_rowLength) - 1));
    if (!m_map.worst[index(*m_cell)]) return tr("%1: not measured").arg(place);
    return tr("%1: RMSE %2; click or press Enter to see the levels of the worst block")
        .arg(place, shownNumber(double{m_map.cells[index(*m_cell)]}));
}

std::optional<ErrorMapView::Place> ErrorMapView::cellAt(QPointF position) const {
    if (m_map.cells.empty() || !QRectF(rect()).contains(position)) return std::nullopt;
    const auto part = [](double at, double length, std::size_t parts) {
        return std::min(parts - 1, static_cast<std::size_t>(at / length * static_cast<double>(parts)));
    };
    return Place{part(position.y(), height(), m_map.rows), part(position.x(), width(), m_map.columns)};
}

QRectF ErrorMapView::cellPixels(const Place& place) const {
    const double wide = width() / static_cast<double>(m_map.columns), high = height() / static_cast<double>(m_map.rows);
    return {static_cast<double>(place.column) * wide, static_cast<double>(place.row) * high, wide, high};
}

void ErrorMapView::read(std::optional<Place> place) {
    if (place == m_cell) return;
    m_cell = place;
    setAccessibleDescription(sentence());
    update();
}

void ErrorMapView::choose() {
    if (!m_cell || m_map.cells.empty()) return;
    if (const auto& block = m_map.worst[index(*m_cell)]) emit blockChosen(block->row, block->column);
}

bool ErrorMapView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), sentence(), this);
    return true;
}

void ErrorMapView::mouseMoveEvent(QMouseEvent* event) { read(cellAt(event->position())); }

void ErrorMapView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    read(cellAt(event->position()));
    choose();
}

void ErrorMapView::leaveEvent(QEvent*) {
    if (!hasFocus()) read(std::nullopt);
}

void ErrorMapView::keyPressEvent(QKeyEvent* event) {
    if (!m_cell || m_map.cells.empty()) return QWidget::keyPressEvent(event);
    Place place = *m_cell;
    switch (event->key()) {
    case Qt::Key_Left: place.column -= place.column > 0; break;
    case Qt::Key_Right: place.column += place.column + 1 < m_map.columns; break;
    case Qt::Key_Up: place.row -= place.row > 0; break;
    case Qt::Key_Down: place.row += place.row + 1 < m_map.rows; break;
    case Qt::Key_Return:
    case Qt::Key_Enter: return choose();
    default: return QWidget::keyPressEvent(event);
    }
    read(place);
}

// Who comes by the keyboard starts at the worst place.
void ErrorMapView::focusInEvent(QFocusEvent*) {
    if (m_cell || m_map.cells.empty()) return update();
    const auto worst = static_cast<std::size_t>(std::ranges::max_element(m_map.cells) - m_map.cells.begin());
    read(Place{worst / m_map.columns, worst % m_map.columns});
}

void ErrorMapView::focusOutEvent(QFocusEvent*) {
    if (!underMouse()) read(std::nullopt);
}

// One hue of growing strength: it reads the same for eyes that see colors differently.
void ErrorMapView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), themeColors().surface);
    if (m_map.cells.empty()) return;
    const float most = *std::max_element(m_map.cells.begin(), m_map.cells.end());
    QImage image(static_cast<int>(m_map.columns), static_cast<int>(m_map.rows), QImage::Format_RGB32);
    const QColor strong = palette().color(QPalette::Link);
    for (std::size_t i = 0; i < m_map.cells.size(); ++i) {
        const double part = most > 0 ? static_cast<double>(m_map.cells[i] / most) : 0;
        image.setPixelColor(static_cast<int>(i % m_map.columns), static_cast<int>(i / m_map.columns),
                            mixed(themeColors().surface, strong, part));
    }
    painter.drawImage(rect(), image);
    if (!m_cell) return;
    painter.setPen(QPen(palette().color(QPalette::WindowText), 1.5));
    painter.drawRect(cellPixels(*m_cell).adjusted(-0.5, -0.5, 0.5, 0.5));
}

} // namespace wb::ui::inspect
