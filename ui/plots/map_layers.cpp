// SPDX-License-Identifier: MIT
#include "ui/plots/map_layers.h"

#include <glm/vec2.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wb::ui {
namespace {

// Name of the tiles of the nearer look, which is not one of the levels.
constexpr std::size_t detailLevel = std::numeric_limits<std::size_t>::max();

std::uint64_t tileSize(const stats::MapGrid& grid, std::size_t level) {
    return grid.cell * (level == detailLevel ? MapLayers::detailEdge : MapLayers::tileEdge);
}

// Where in the matrix cells, and with them tiles, start.
glm::u64vec2 origin(const stats::MapGrid& grid) { return {grid.region.column % grid.cell, grid.region.row % grid.cell}; }

// The elements that one tile shows.
stats::MatrixRegion tileRegion(const stats::MapGrid& grid, std::uint64_t size, std::uint64_t row, std::uint64_t column) {
    return stats::intersection({origin(grid).y + row * size, origin(grid).x + column * size, size, size}, grid.region);
}

QRectF wholePixels(const PlotArea& area, const stats::MatrixRegion& region) {
    const glm::dvec2 low = area.toPixel({region.column, region.row});
    const glm::dvec2 high = area.toPixel({region.column + region.columns, region.row + region.rows});
    return QRectF(QPointF(low.x, low.y), QPointF(high.x, high.y)).toAlignedRect();
}

} // namespace

bool covers(const stats::MatrixRegion& outer, const stats::MatrixRegion& inner) {
    return outer.row <= inner.row && outer.column <= inner.column && outer.row + outer.rows >= inner.row + inner.rows &&
           outer.column + outer.columns >= inner.column + inner.columns;
}

float cellValue(const stats::MapGrid& grid, std::size_t at, MapStatistic statistic) {
    if (grid.cell == 1) return statistic == MapStatistic::Value ? grid.mean[at] : std::abs(grid.mean[at]);
    if (!grid.nan.empty() && grid.nan[at] > 0) return std::numeric_limits<float>::quiet_NaN();
    if (!grid.inf.empty() && grid.inf[at] > 0) return std::numeric_limits<float>::infinity();
    switch (statistic) {
    case MapStatistic::Value: return grid.mean[at];
    case MapStatistic::Largest: return grid.absmax[at];
    case MapStatistic::Rms: return grid.rms[at];
    }
    return 0;
}

void MapLayers::setMap(std::shared_ptr<const stats::TensorMap> map) {
    dropAll();
    m_map = std::move(map);
    m_detail.reset();
}

void MapLayers::setDetail(std::shared_ptr<const stats::MapGrid> detail) {
    const auto isSame = [&](const Key& key) {
        if (!detail || !m_detail || detail->cell != m_detail->cell || origin(*detail) != origin(*m_detail)) return false;
        const std::uint64_t size = tileSize(*detail, detailLevel);
        return tileRegion(*detail, size, key.row, key.column) == tileRegion(*m_detail, size, key.row, key.column);
    };
    std::erase_if(m_detailTiles, [&](const auto& entry) {
        if (isSame(entry.first)) return false;
        dropTile(entry.second);
        return true;
    });
    m_detail = std::move(detail);
}

void MapLayers::setStatistic(MapStatistic statistic) {
    if (statistic == m_statistic) return;
    dropAll();
    m_statistic = statistic;
}

void MapLayers::setColors(const gpu::imview::ColorScale& scale) {
    const auto same = [&](const gpu::imview::ColorScale& a) {
        return a.low == scale.low && a.high == scale.high && a.curve == scale.curve && a.linearWidth == scale.linearWidth &&
               a.colors == scale.colors;
    };
    if (same(m_scale)) return;
    m_scale = scale;
    ++m_scaleNumber;
}

void MapLayers::forget() {
    m_tiles.clear();
    m_detailTiles.clear();
    m_dropped.clear();
}

void MapLayers::dropAll() {
    for (Tiles* tiles : {&m_tiles, &m_detailTiles}) {
        for (const auto& [key, tile] : *tiles) dropTile(tile);
        tiles->clear();
    }
}

MapLayers::Tile MapLayers::makeTile(const stats::MapGrid& grid, const stats::MatrixRegion& elements) {
    const auto cells = [&](std::uint64_t count) { return (count + grid.cell - 1) / grid.cell; };
    const std::uint64_t rows = cells(elements.rows), columns = cells(elements.columns);
    const std::uint64_t firstRow = (elements.row - grid.region.row) / grid.cell;
    const std::uint64_t firstColumn = (elements.column - grid.region.column) / grid.cell;
    std::vector<float> values;
    values.reserve(rows * columns);
    for (std::uint64_t row = 0; row < rows; ++row)
        for (std::uint64_t column = 0; column < columns; ++column)
            values.push_back(cellValue(grid, (firstRow + row) * grid.columns() + firstColumn + column, m_statistic));
    const auto width = static_cast<int>(columns), height = static_cast<int>(rows);
    Tile tile;
    tile.texture = m_host.createValueTexture(width, height);
    m_host.updateValues(tile.texture, {0, 0, width, height}, values);
    return tile;
}

void MapLayers::drawTile(ImDrawList& list, const PlotArea& area, Tile& tile, const stats::MatrixRegion& elements) {
    if (tile.scale != m_scaleNumber) m_host.setColorScale(tile.texture, m_scale);
    tile.scale = m_scaleNumber;
    tile.lastFrame = m_frame;
    const glm::dvec2 low(elements.column, elements.row);
    drawImage(list, area, tile.texture, low, low + glm::dvec2(elements.columns, elements.rows));
}

void MapLayers::dropOldTiles() {
    while (m_tiles.size() > tilesKept) {
        const auto oldest = std::ranges::min_element(m_tiles, {}, [](const auto& entry) { return entry.second.lastFrame; });
        if (oldest->second.lastFrame == m_frame) return;
        dropTile(oldest->second);
        m_tiles.erase(oldest);
    }
}

void MapLayers::drawGrid(ImDrawList& list, const PlotArea& area, const stats::MapGrid& grid, Tiles& tiles, std::size_t level,
                         const stats::MatrixRegion& seen) {
    const stats::MatrixRegion shown = stats::intersection(seen, grid.region);
    const std::uint64_t size = tileSize(grid, level);
    const glm::u64vec2 first = origin(grid);
    for (std::uint64_t row = (shown.row - first.y) / size; shown.rows > 0 && first.y + row * size < shown.row + shown.rows; ++row)
        for (std::uint64_t column = (shown.column - first.x) / size; first.x + column * size < shown.column + shown.columns;
             ++column) {
            const stats::MatrixRegion elements = tileRegion(grid, size, row, column);
            const Key key{level, row, column};
            if (!tiles.contains(key)) tiles.emplace(key, makeTile(grid, elements));
            drawTile(list, area, tiles.at(key), elements);
        }
}

// The area of the detailed map is not drawn twice: on software devices that halves the time of a frame.
void MapLayers::draw(ImDrawList& list, const PlotArea& area, std::size_t level, const stats::MatrixRegion& visible,
                     bool withDetail) {
    ++m_frame;
    const bool detailed = withDetail && m_detail;
    const auto bare = detailed ? stats::without(visible, m_detail->region) : std::vector{visible};
    for (const stats::MatrixRegion& region : bare) {
        const PlotClip clip(list, wholePixels(area, region));
        drawGrid(list, area, m_map->levels[level], m_tiles, level, region);
    }
    if (detailed) drawGrid(list, area, *m_detail, m_detailTiles, detailLevel, visible);
    dropOldTiles();
    for (const auto texture : m_dropped) m_host.destroyTexture(texture);
    m_dropped.clear();
}

} // namespace wb::ui
