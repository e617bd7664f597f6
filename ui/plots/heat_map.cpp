// SPDX-License-Identifier: MIT
#include "ui/plots/heat_map.h"
#include "ui/plots/plot_axis.h"
#include "ui/widgets/theme.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace wb::ui {
namespace {

constexpr double leftMargin = 112, topMargin = 70, rightMargin = 86, bottomMargin = 24; // for axes, ridges, legend and readout
constexpr double zoomStep = 1.25;
constexpr double nearElement = 16;                              // pixels an element where someone wants to see it
constexpr double detailMargin = 0.1;                            // of the visible area, on every side
constexpr std::uint64_t detailStep = MapLayers::detailEdge / 2; // cells: larger ones take more memory, smaller ones more questions
constexpr std::uint64_t detailCells = 1'600'000;                // at most: 18 MiB of numbers

// The part of a matrix that is requested to show another part: it ends where cells and mostly tiles do, so that the next answer
// continues with what this one held.
stats::MatrixRegion wholeSteps(const stats::MatrixRegion& part, std::uint32_t cell, const stats::Matrix& matrix) {
    const auto along = [step = cell * detailStep](std::uint64_t first, std::uint64_t count, std::uint64_t size) {
        const std::uint64_t begin = first / step * step;
        return std::pair(begin, std::min((first + count + step - 1) / step * step, size) - begin);
    };
    const auto [row, rows] = along(part.row, part.rows, matrix.rows);
    const auto [column, columns] = along(part.column, part.columns, matrix.columns);
    return {row, column, rows, columns};
}

std::uint64_t regionCells(const stats::MatrixRegion& region, std::uint32_t cell) {
    return (region.rows / cell + 1) * (region.columns / cell + 1);
}

constexpr QSizeF roomForValue{44, 28}; // pixels of an element that its value fits into, and another below it

// A color that can be read over that of a value: black or white.
QColor inkOver(const gpu::imview::ColorScale& scale, float value) {
    const std::uint32_t color = gpu::imview::scaleColor(scale, value);
    const auto part = [color](int shift) { return static_cast<int>(color >> shift & 0xFF); };
    return qGray(part(IM_COL32_R_SHIFT), part(IM_COL32_G_SHIFT), part(IM_COL32_B_SHIFT)) > 140 ? Qt::black : Qt::white;
}

constexpr double ridgeExtent = 44; // pixels
constexpr double ridgeGap = 4;

QString number(double value, int digits = 3) { return QLocale().toString(value, 'g', digits); }

// With as many digits as there is space for: a number that is cut is another number.
QString fitted(float value, const PlotWords& words, double width) {
    for (int digits = 4; digits > 0; --digits)
        if (const QString text = number(double{value}, digits); words.size(text, PlotWords::Style::Small).width() <= width)
            return text;
    return QStringLiteral("…");
}

// The max of a profile over the elements that one pixel covers; NaN where all of them are.
float maxOver(const std::vector<float>& profile, double from, double to) {
    const auto size = static_cast<double>(profile.size());
    if (to <= 0 || from >= size) return std::nanf("");
    const auto begin = static_cast<std::size_t>(std::max(0.0, std::floor(from)));
    const auto end = static_cast<std::size_t>(std::clamp(std::ceil(to), static_cast<double>(begin) + 1, size));
    float max = std::nanf("");
    for (std::size_t i = begin; i < end; ++i) max = std::fmax(max, profile[i]);
    return max;
}

void fill(ImDrawList& list, const QRectF& rect, ImU32 color) {
    list.AddRectFilled(plotPoint({rect.left(), rect.top()}), plotPoint({rect.right(), rect.bottom()}), color);
}

QColor faint(QColor color, int alpha) {
    color.setAlpha(alpha);
    return color;
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
    m_compared = {};
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

void HeatMap::setDetail(std::shared_ptr<const stats::MapGrid> detail, Compared compared) {
    const auto showsAll = [this](const auto& grid) { return grid && covers(grid->region, m_viewport.visible()); };
    const bool samePicture = showsAll(m_detail) && showsAll(detail) && m_detail->cell == detail->cell;
    m_detail = std::move(detail);
    m_compared = std::move(compared);
    m_layers.setDetail(m_detail);
    setAccessibleDescription(sentence());
    if (!samePicture || hasRoomForValues()) requestFrame();
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

QRectF HeatMap::mapPixels() const { return QRectF(rect()).adjusted(leftMargin, topMargin, -rightMargin, -bottomMargin); }

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

// Asked for with some margin, and again before all of that is used up, so that dragging reveals existing pixels. Screens of
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
        return regionCells(m_asked, cell) <= detailCells;
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

// A limit that is given holds at every zoom.
gpu::imview::ColorScale HeatMap::colors() const {
    const bool isGiven = m_scale == ValueScale::Clipped && m_clip > 0;
    return colorScale(m_statistic == MapStatistic::Value, m_scale, isGiven ? m_map->absmax : largestShown(), m_clip);
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
    return tr("Around row %1, column %2 (%3 × %3 elements): max abs %4, mean %5, RMS %6")
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
    return tr("%1 of %2 × %3; max abs %4")
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

void HeatMap::drawPlot(ImDrawList& list, PlotWords& words) {
    m_viewport.setPixels(mapPixels());
    if (!m_map) {
        words.add(QRectF(rect()).adjusted(24, 0, -24, 0), Qt::AlignCenter | Qt::TextWordWrap, m_reason, themeColors().muted);
        return;
    }
    if (m_viewport.isEmpty()) return;
    wantDetail(); // the scale of the screen may have changed
    m_layers.setColors(colors());
    {
        const PlotClip clip(list, mapPixels());
        m_layers.draw(list, m_viewport.area(), level(), m_viewport.visible(), detailFits());
    }
    drawValues(words);
    drawFrame(list);
    drawRidges(list, words);
    drawAxes(list, words);
    drawLegend(list, words);
    drawReadout(words);
    drawPlace(list, words);
}

bool HeatMap::hasRoomForValues() const {
    const glm::dvec2 element = m_viewport.area().pixelsPerUnit();
    return m_detail && m_detail->cell == 1 && element.x >= roomForValue.width() && element.y >= roomForValue.height();
}

std::vector<float> HeatMap::valuesIn(quint64 row, quint64 column) const {
    const auto valueOf = [&](const stats::MapGrid& grid) {
        const quint64 at = (row - grid.region.row) * grid.region.columns + column - grid.region.column;
        return grid.mean[at];
    };
    if (!m_map || !hasRoomForValues() || !covers(m_detail->region, {row, column, 1, 1})) return {};
    const bool isBoth = m_compared.own && m_compared.other && covers(m_compared.own->region, {row, column, 1, 1}) &&
                        covers(m_compared.other->region, {row, column, 1, 1});
    return isBoth ? std::vector{valueOf(*m_compared.own), valueOf(*m_compared.other)} : std::vector{valueOf(*m_detail)};
}

// Dark on light cells and light on dark ones.
void HeatMap::drawValues(PlotWords& words) const {
    if (!hasRoomForValues()) return;
    const stats::MatrixRegion seen = stats::intersection(m_viewport.visible(), m_detail->region);
    const gpu::imview::ColorScale scale = colors();
    for (quint64 row = seen.row; row < seen.row + seen.rows; ++row)
        for (quint64 column = seen.column; column < seen.column + seen.columns; ++column) {
            const std::vector<float> values = valuesIn(row, column);
            const std::size_t at = (row - m_detail->region.row) * m_detail->region.columns + column - m_detail->region.column;
            const QColor ink = inkOver(scale, cellValue(*m_detail, at, m_statistic));
            const glm::dvec2 low = m_viewport.area().toPixel({column, row}),
                             high = m_viewport.area().toPixel({column + 1, row + 1});
            const QRectF cell(QPointF(low.x, low.y), QPointF(high.x, high.y));
            if (!mapPixels().contains(cell)) continue; // cut, it would be another number
            const double line = 13, top = cell.center().y() - line * static_cast<double>(values.size()) / 2;
            for (std::size_t i = 0; i < values.size(); ++i)
                words.add({cell.left(), top + line * static_cast<double>(i), cell.width(), line}, Qt::AlignCenter,
                          fitted(values[i], words, cell.width() - 2), ink, PlotWords::Style::Small);
        }
}

void HeatMap::drawFrame(ImDrawList& list) const {
    const QRectF pixels = mapPixels();
    const QColor color = hasFocus() ? palette().color(QPalette::Highlight) : themeColors().border;
    list.AddRect(plotPoint({pixels.left() - 1, pixels.top() - 1}), plotPoint({pixels.right() + 1, pixels.bottom() + 1}),
                 plotColor(color));
}

// Bars of the greatest magnitude with the root mean square inside, one a pixel.
void HeatMap::drawRidges(ImDrawList& list, PlotWords& words) const {
    const PlotArea& area = m_viewport.area();
    const QRectF pixels = area.pixels;
    const QColor accent = palette().color(QPalette::Highlight);
    const ImU32 outer = plotColor(faint(accent, 90)), inner = plotColor(accent);
    const double scale = m_map->absmax > 0 ? ridgeExtent / m_map->absmax : 0;
    const auto heights = [&](const stats::Profile& profile, double from, double to, auto bar) {
        const float absmax = maxOver(profile.absmax, from, to), rms = maxOver(profile.rms, from, to);
        if (std::isnan(absmax)) return;
        bar(std::max(0.5, absmax * scale), outer);
        bar(rms * scale, inner);
    };
    if (!m_map->columns.absmax.empty())
        for (double x = pixels.left(); x < pixels.right(); x += 1)
            heights(m_map->columns, area.toPlot({x, 0}).x, area.toPlot({x + 1, 0}).x,
                    [&](double height, ImU32 color) { fill(list, {x, pixels.top() - ridgeGap - height, 1, height}, color); });
    if (!m_map->rows.absmax.empty())
        for (double y = pixels.top(); y < pixels.bottom(); y += 1)
            heights(m_map->rows, area.toPlot({0, y}).y, area.toPlot({0, y + 1}).y,
                    [&](double height, ImU32 color) { fill(list, {pixels.left() - ridgeGap - height, y, height, 1}, color); });
    words.add({2, 2, pixels.left() - 8, pixels.top() - 4}, Qt::AlignRight | Qt::AlignBottom | Qt::TextWordWrap, tr("Max and RMS"),
              themeColors().muted, PlotWords::Style::Small);
}

void HeatMap::drawAxes(ImDrawList& list, PlotWords& words) const {
    const PlotArea& area = m_viewport.area();
    const QRectF pixels = area.pixels;
    const QColor muted = themeColors().muted;
    // Some of the whole numbers that are seen, about `apart` pixels from each other.
    const auto wholeTicks = [](double low, double high, double size, double scale, double apart) {
        const double first = std::max(0.0, low), last = std::min(high, size) - 1;
        std::vector<double> ticks;
        for (const double tick : niceTicks(first, last, static_cast<int>((last - first) * scale / apart)))
            if (tick == std::floor(tick)) ticks.push_back(tick);
        if (ticks.empty()) ticks.push_back(std::ceil(first));
        return ticks;
    };
    words.add({2, pixels.top() - ridgeGap - ridgeExtent - 18, pixels.left() - 8, 16}, Qt::AlignRight | Qt::AlignVCenter,
              tr("Column"), muted, PlotWords::Style::Small);
    words.add({2, pixels.top() - 18, 40, 16}, Qt::AlignLeft | Qt::AlignVCenter, tr("Row"), muted, PlotWords::Style::Small);
    const glm::dvec2 pixelsAnElement = area.pixelsPerUnit();
    for (const double tick :
         wholeTicks(area.low.x, area.high.x, static_cast<double>(m_map->matrix.columns), pixelsAnElement.x, 64)) {
        const double x = area.toPixel({tick + 0.5, 0}).x;
        fill(list, {x, pixels.top() - 4, 1, 3}, plotColor(muted));
        words.add({x - 40, pixels.top() - ridgeGap - ridgeExtent - 18, 80, 16}, Qt::AlignHCenter | Qt::AlignVCenter,
                  QString::number(tick, 'f', 0), muted, PlotWords::Style::Small);
    }
    for (const double tick : wholeTicks(area.low.y, area.high.y, static_cast<double>(m_map->matrix.rows), pixelsAnElement.y, 40)) {
        const double y = area.toPixel({0, tick + 0.5}).y;
        fill(list, {pixels.left() - 4, y, 3, 1}, plotColor(muted));
        words.add({0, y - 8, pixels.left() - ridgeGap - ridgeExtent - 4, 16}, Qt::AlignRight | Qt::AlignVCenter,
                  QString::number(tick, 'f', 0), muted, PlotWords::Style::Small);
    }
}

void HeatMap::drawLegend(ImDrawList& list, PlotWords& words) const {
    const QRectF pixels = m_viewport.area().pixels;
    const gpu::imview::ColorScale scale = colors();
    const QColor text = palette().color(QPalette::WindowText);
    const bool bad = m_map->nan > 0 || m_map->inf > 0;
    const QRectF bar(pixels.right() + 12, pixels.top(), 12, std::max(40.0, pixels.height() - (bad ? 44 : 0)));
    constexpr int steps = 64;
    const double height = bar.height() / steps;
    for (int i = 0; i < steps; ++i) {
        const auto entry = static_cast<std::size_t>(255 * (steps - 1 - i) / (steps - 1));
        fill(list, {bar.left(), bar.top() + i * height, bar.width(), height + 0.5}, scale.colors[entry]);
    }
    list.AddRect(plotPoint({bar.left() - 1, bar.top() - 1}), plotPoint({bar.right() + 1, bar.bottom() + 1}),
                 plotColor(themeColors().border));
    const auto label = [&](double y, const QString& value) {
        words.add({bar.right() + 4, y - 8, 58, 16}, Qt::AlignLeft | Qt::AlignVCenter, value, text, PlotWords::Style::Small);
    };
    label(bar.top() + 6, number(scale.high));
    label(bar.bottom() - 6, number(scale.low));
    if (scale.low < 0) label(bar.center().y(), number(0));
    else if (scale.curve == gpu::imview::Curve::Linear) label(bar.center().y(), number(scale.high / 2));
    if (!bad) return;
    const auto swatch = [&](double y, std::uint32_t color, const QString& name) {
        fill(list, {bar.left(), y, bar.width(), 12}, color);
        words.add({bar.right() + 4, y - 2, 58, 16}, Qt::AlignLeft | Qt::AlignVCenter, name, text, PlotWords::Style::Small);
    };
    swatch(bar.bottom() + 10, nanColor, tr("NaN"));
    swatch(bar.bottom() + 28, positiveInfinityColor, tr("Infinite"));
}

void HeatMap::drawReadout(PlotWords& words) const {
    const QRectF pixels = mapPixels();
    words.add({8, pixels.bottom() + 4, width() - 16.0, 18}, Qt::AlignLeft | Qt::AlignVCenter, sentence(),
              m_place ? palette().color(QPalette::WindowText) : themeColors().muted);
}

void HeatMap::drawPlace(ImDrawList& list, PlotWords& words) const {
    if (!m_place) return;
    const PlotArea& area = m_viewport.area();
    const glm::dvec2 low = area.toPixel({m_place->column, m_place->row});
    const glm::dvec2 high = area.toPixel({m_place->column + 1, m_place->row + 1});
    const QRectF pixels = area.pixels;
    const ImU32 dark = plotColor(QColor(0, 0, 0)), light = plotColor(QColor(255, 255, 255));
    {
        const PlotClip clip(list, pixels);
        list.AddRect(plotPoint(low - 2.0), plotPoint(high + 2.0), dark);
        list.AddRect(plotPoint(low - 1.0), plotPoint(high + 1.0), light);
    }
    const ImU32 mark = plotColor(palette().color(QPalette::WindowText)); // in the ridges
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
