// SPDX-License-Identifier: MIT
#include "ui/plots/heat_map.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace wb::ui {
namespace {

constexpr double leftRoom = 112, topRoom = 70, rightRoom = 86, bottomRoom = 24; // for axes, ridges, legend and readout
constexpr double zoomStep = 1.25;
constexpr double nearElement = 16;                              // pixels an element where someone wants to see it
constexpr double detailMargin = 0.1;                            // of what is seen, on every side
constexpr std::uint64_t detailStep = MapLayers::detailEdge / 2; // cells: larger ones take more memory, smaller ones more questions
constexpr std::uint64_t detailCells = 1'600'000;                // at most: 18 MiB of numbers

// The part of a matrix that is asked for to show another part: it ends where cells and mostly tiles do, so that the next answer
// goes on with what this one held.
stats::MatrixRegion wholeSteps(const stats::MatrixRegion& part, std::uint32_t cell, const stats::Matrix& matrix) {
    const auto along = [step = cell * detailStep](std::uint64_t first, std::uint64_t count, std::uint64_t size) {
        const std::uint64_t begin = first / step * step;
        return std::pair(begin, std::min((first + count + step - 1) / step * step, size) - begin);
    };
    const auto [row, rows] = along(part.row, part.rows, matrix.rows);
    const auto [column, columns] = along(part.column, part.columns, matrix.columns);
    return {row, column, rows, columns};
}

std::uint64_t cellsOf(const stats::MatrixRegion& region, std::uint32_t cell) {
    return (region.rows / cell + 1) * (region.columns / cell + 1);
}

} // namespace

HeatMap::HeatMap(QWidget* parent, std::shared_ptr<gpu::imview::Renderer> renderer)
    : ImGuiWidget(std::move(renderer), parent), m_layers(*this) {
    setObjectName(QStringLiteral("heatMap"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Heat map"));
}

void HeatMap::setMap(std::shared_ptr<const stats::TensorMap> map, const QString& reason) {
    if (map && map->levels.empty()) map.reset();
    const bool sameMatrix = map && m_map && map->matrix.rows == m_map->matrix.rows && map->matrix.columns == m_map->matrix.columns;
    m_map = std::move(map);
    m_reason = reason;
    m_detail.reset();
    m_askedCell = 0;
    m_layers.setMap(m_map);
    m_largestMean.clear();
    if (m_map)
        for (const stats::MapGrid& grid : m_map->levels) {
            double largest = 0;
            for (const float mean : grid.mean)
                if (std::isfinite(mean)) largest = std::max(largest, std::abs(double{mean}));
            m_largestMean.push_back(largest);
        }
    if (!sameMatrix) {
        m_viewport.setMatrix(m_map ? m_map->matrix.rows : 0, m_map ? m_map->matrix.columns : 0);
        setPlace({});
    }
    m_notePlace.reset();
    updateView();
    if (m_map && m_wanted) goTo(m_wanted->row, m_wanted->column);
}

void HeatMap::setDetail(std::shared_ptr<const stats::MapGrid> detail) {
    const auto showsAll = [this](const auto& grid) { return grid && covers(grid->region, m_viewport.visible()); };
    const bool samePicture = showsAll(m_detail) && showsAll(detail) && m_detail->cell == detail->cell;
    m_detail = std::move(detail);
    m_layers.setDetail(m_detail);
    setAccessibleDescription(sentence());
    if (!samePicture) requestFrame();
    emit viewChanged();
}

void HeatMap::setStatistic(MapStatistic statistic) {
    m_statistic = statistic;
    m_layers.setStatistic(statistic);
    requestFrame();
}

void HeatMap::setScale(ValueScale scale, double clip) {
    m_scale = scale;
    m_clip = clip;
    requestFrame();
}

void HeatMap::fit() {
    m_viewport.fit();
    updateView();
}

void HeatMap::zoom(double factor) {
    const QPointF middle = mapPixels().center();
    m_viewport.zoomAt({middle.x(), middle.y()}, factor);
    updateView();
}

void HeatMap::unmark() { setPlace({}); }

void HeatMap::goTo(quint64 row, quint64 column) {
    m_wanted.reset();
    if (!m_map) m_wanted = Place{row, column};
    if (!m_map || row >= m_map->matrix.rows || column >= m_map->matrix.columns) return;
    m_viewport.centreOn(static_cast<double>(row), static_cast<double>(column), nearElement);
    updateView();
    setPlace(Place{row, column});
}

void HeatMap::setNote(quint64 row, quint64 column, const QStringList& lines) {
    m_notePlace = Place{row, column};
    m_note = lines;
    setAccessibleDescription(sentence());
    requestFrame();
}

QRectF HeatMap::mapPixels() const { return QRectF(rect()).adjusted(leftRoom, topRoom, -rightRoom, -bottomRoom); }

// The finest level whose cells are no smaller than pixels.
std::size_t HeatMap::level() const {
    const std::uint32_t cell = m_viewport.cellOfPixel(devicePixelRatioF());
    std::size_t level = 0;
    while (level + 1 < m_map->levels.size() && m_map->levels[level].cell < cell) ++level;
    return level;
}

bool HeatMap::detailFits() const { return m_detail && m_viewport.cellOfPixel(devicePixelRatioF()) < m_map->levels[0].cell; }

const stats::MapGrid* HeatMap::shownGrid() const {
    if (!m_map) return nullptr;
    return detailFits() && covers(m_detail->region, m_viewport.visible()) ? m_detail.get() : &m_map->levels[level()];
}

void HeatMap::updateView() {
    m_viewport.setPixels(mapPixels());
    wantDetail();
    setAccessibleDescription(sentence());
    requestFrame();
    emit viewChanged();
}

// Asked for with some margin, and again before all of that is used up, so that dragging meets what is there already. Screens of
// very many pixels get no margin, or larger cells.
void HeatMap::wantDetail() {
    if (!m_map || m_viewport.isEmpty()) return;
    const std::uint32_t pixelCell = m_viewport.cellOfPixel(devicePixelRatioF());
    if (pixelCell >= m_map->levels[0].cell) return;
    if (m_askedCell == pixelCell && covers(m_asked, m_viewport.visible(m_askedMargin / 2))) return;
    std::uint32_t cell = pixelCell;
    const auto fits = [&](double margin) {
        m_askedMargin = margin;
        m_asked = wholeSteps(m_viewport.visible(margin), cell, m_map->matrix);
        return cellsOf(m_asked, cell) <= detailCells;
    };
    if (!fits(detailMargin))
        while (!fits(0) && cell < m_map->levels[0].cell) cell *= 2;
    m_askedCell = pixelCell;
    if (cell < m_map->levels[0].cell) emit detailWanted(m_asked, cell);
}

void HeatMap::setPlace(const std::optional<Place>& place) {
    if (place == m_place) return;
    m_place = place;
    setAccessibleDescription(sentence());
    requestFrame();
    emit placeChanged();
}

void HeatMap::movePlace(int rows, int columns) {
    if (!m_map) return;
    const stats::MatrixRegion seen = m_viewport.visible();
    Place place = m_place.value_or(Place{seen.row + seen.rows / 2, seen.column + seen.columns / 2});
    const auto moved = [](quint64 at, int by, quint64 size) {
        return by < 0 ? at - std::min<quint64>(at, static_cast<quint64>(-by))
                      : std::min<quint64>(at + static_cast<quint64>(by), size - 1);
    };
    place = {moved(place.row, rows, m_map->matrix.rows), moved(place.column, columns, m_map->matrix.columns)};
    if (!covers(seen, {place.row, place.column, 1, 1})) {
        m_viewport.centreOn(static_cast<double>(place.row), static_cast<double>(place.column), 0);
        updateView();
    }
    setPlace(place);
}

std::optional<HeatMap::Place> HeatMap::placeAt(const QPointF& position) const {
    if (!m_map || !mapPixels().contains(position)) return {};
    const glm::dvec2 at = m_viewport.area().toPlot({position.x(), position.y()});
    if (at.x < 0 || at.y < 0) return {};
    const Place place{static_cast<quint64>(at.y), static_cast<quint64>(at.x)};
    if (place.row >= m_map->matrix.rows || place.column >= m_map->matrix.columns) return {};
    return place;
}

double HeatMap::largestShown() const {
    if (m_statistic != MapStatistic::Value || shownGrid()->cell == 1) return m_map->absmax;
    return m_largestMean[level()]; // means of many elements are far smaller than elements
}

gpu::imview::ColourScale HeatMap::colours() const {
    return colourScale(m_statistic == MapStatistic::Value, m_scale, largestShown(), m_clip);
}

QString HeatMap::cellSentence(const Place& place) const {
    const stats::MapGrid& grid = *shownGrid();
    const quint64 row = (place.row - grid.region.row) / grid.cell, column = (place.column - grid.region.column) / grid.cell;
    if (place.row < grid.region.row || place.column < grid.region.column || row >= grid.rows() || column >= grid.columns())
        return {};
    const std::size_t at = row * grid.columns() + column;
    const QLocale locale;
    if (grid.cell == 1)
        return tr("Row %1, column %2: %3").arg(place.row).arg(place.column).arg(locale.toString(double{grid.mean[at]}, 'g', 6));
    return tr("Around row %1, column %2 (%3 × %3 elements): largest magnitude %4, mean %5, rms %6")
        .arg(place.row)
        .arg(place.column)
        .arg(grid.cell)
        .arg(locale.toString(double{grid.absmax[at]}, 'g', 4), locale.toString(double{grid.mean[at]}, 'g', 4),
             locale.toString(double{grid.rms[at]}, 'g', 4));
}

QString HeatMap::sentence() const {
    if (!m_map) return m_reason;
    if (m_place) {
        const QString cell = cellSentence(*m_place);
        return m_notePlace == m_place ? QStringList{cell, m_note.join(QStringLiteral("; "))}.join(QStringLiteral(" – ")) : cell;
    }
    const stats::MatrixRegion seen = m_viewport.visible();
    const QString place = tr("Rows %1 to %2, columns %3 to %4")
                              .arg(seen.row)
                              .arg(seen.row + std::max<quint64>(seen.rows, 1) - 1)
                              .arg(seen.column)
                              .arg(seen.column + std::max<quint64>(seen.columns, 1) - 1);
    return tr("%1 of %2 × %3; greatest magnitude %4")
        .arg(place)
        .arg(m_map->matrix.rows)
        .arg(m_map->matrix.columns)
        .arg(QLocale().toString(double{m_map->absmax}, 'g', 6));
}

void HeatMap::mousePressEvent(QMouseEvent* event) {
    ImGuiWidget::mousePressEvent(event);
    if (event->button() != Qt::LeftButton || !mapPixels().contains(event->position())) return;
    m_dragged = event->position();
    setCursor(Qt::ClosedHandCursor);
}

void HeatMap::mouseMoveEvent(QMouseEvent* event) {
    ImGuiWidget::mouseMoveEvent(event);
    if (m_dragged) {
        const QPointF moved = event->position() - *m_dragged;
        m_dragged = event->position();
        m_viewport.panBy({moved.x(), moved.y()});
        updateView();
    }
    setPlace(placeAt(event->position()));
}

void HeatMap::mouseReleaseEvent(QMouseEvent* event) {
    ImGuiWidget::mouseReleaseEvent(event);
    m_dragged.reset();
    unsetCursor();
}

void HeatMap::wheelEvent(QWheelEvent* event) {
    ImGuiWidget::wheelEvent(event);
    const double steps = event->angleDelta().y() / 120.0;
    if (steps == 0 || !m_map) return;
    m_viewport.zoomAt({event->position().x(), event->position().y()}, std::pow(zoomStep, steps));
    updateView();
    setPlace(placeAt(event->position()));
    event->accept(); // the page must not scroll too
}

void HeatMap::leaveEvent(QEvent* event) {
    ImGuiWidget::leaveEvent(event);
    if (!hasFocus()) setPlace({});
}

void HeatMap::resizeEvent(QResizeEvent* event) {
    ImGuiWidget::resizeEvent(event);
    updateView();
}

void HeatMap::keyPressEvent(QKeyEvent* event) {
    const bool moves = event->modifiers().testFlag(Qt::ControlModifier);
    const auto go = [&](int rows, int columns) {
        if (moves) return movePlace(rows, columns);
        const QRectF pixels = mapPixels();
        m_viewport.panBy({-columns * pixels.width() / 8, -rows * pixels.height() / 8});
        updateView();
    };
    switch (event->key()) {
    case Qt::Key_Left: return go(0, -1);
    case Qt::Key_Right: return go(0, 1);
    case Qt::Key_Up: return go(-1, 0);
    case Qt::Key_Down: return go(1, 0);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoom(zoomStep);
    case Qt::Key_Minus: return zoom(1 / zoomStep);
    case Qt::Key_Home: return fit();
    case Qt::Key_Escape: return setPlace({});
    default: ImGuiWidget::keyPressEvent(event);
    }
}

} // namespace wb::ui
