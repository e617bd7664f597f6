// SPDX-License-Identifier: MIT
#include "ui/plots/map_layers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wb::ui {
namespace {

constexpr std::uint64_t detailEdge = 1024; // cells of one texture of the nearer look

// The part of a tile grid that a region of elements falls on.
struct TileRange {
    std::uint64_t begin, end;
};

TileRange tilesOver(std::uint64_t first, std::uint64_t count, std::uint64_t tileElements) {
    return {first / tileElements, count == 0 ? first / tileElements : (first + count - 1) / tileElements + 1};
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
    case MapStatistic::Largest: return grid.maxAbs[at];
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
    for (const auto& [key, tile] : m_detailTiles) m_host.destroyTexture(tile.texture);
    m_detailTiles.clear();
    m_detail = std::move(detail);
}

void MapLayers::setStatistic(MapStatistic statistic) {
    if (statistic == m_statistic) return;
    dropAll();
    m_statistic = statistic;
}

void MapLayers::setColours(const gpu::imview::ColourScale& scale) {
    const auto same = [&](const gpu::imview::ColourScale& a) {
        return a.low == scale.low && a.high == scale.high && a.curve == scale.curve && a.linearWidth == scale.linearWidth &&
               a.colours == scale.colours;
    };
    if (same(m_scale)) return;
    m_scale = scale;
    ++m_scaleNumber;
}

void MapLayers::forget() {
    m_tiles.clear();
    m_detailTiles.clear();
}

void MapLayers::dropAll() {
    for (const auto* tiles : {&m_tiles, &m_detailTiles})
        for (const auto& [key, tile] : *tiles) m_host.destroyTexture(tile.texture);
    forget();
}

MapLayers::Tile MapLayers::makeTile(const stats::MapGrid& grid, const stats::MatrixRegion& cells) {
    std::vector<float> values;
    values.reserve(cells.rows * cells.columns);
    for (std::uint64_t row = cells.row; row < cells.row + cells.rows; ++row)
        for (std::uint64_t column = cells.column; column < cells.column + cells.columns; ++column)
            values.push_back(cellValue(grid, row * grid.columns() + column, m_statistic));
    const auto width = static_cast<int>(cells.columns), height = static_cast<int>(cells.rows);
    Tile tile;
    tile.texture = m_host.createValueTexture(width, height);
    m_host.updateValues(tile.texture, {0, 0, width, height}, values);
    return tile;
}

void MapLayers::drawTile(ImDrawList& list, const PlotArea& area, Tile& tile, const stats::MatrixRegion& elements) {
    if (tile.scale != m_scaleNumber) m_host.setColourScale(tile.texture, m_scale);
    tile.scale = m_scaleNumber;
    tile.lastFrame = m_frame;
    const glm::dvec2 low(elements.column, elements.row);
    drawImage(list, area, tile.texture, low, low + glm::dvec2(elements.columns, elements.rows));
}

void MapLayers::dropOldTiles() {
    while (m_tiles.size() > tilesKept) {
        const auto oldest = std::ranges::min_element(m_tiles, {}, [](const auto& entry) { return entry.second.lastFrame; });
        if (oldest->second.lastFrame == m_frame) return;
        m_host.destroyTexture(oldest->second.texture);
        m_tiles.erase(oldest);
    }
}

void MapLayers::draw(ImDrawList& list, const PlotArea& area, std::size_t level, const stats::MatrixRegion& visible, bool withDetail) {
    ++m_frame;
    const auto drawGrid = [&](const stats::MapGrid& grid, std::map<Key, Tile>& tiles, std::size_t name, std::uint64_t edge) {
        const stats::MatrixRegion& world = grid.region;
        const std::uint64_t firstRow = std::max(visible.row, world.row), firstColumn = std::max(visible.column, world.column);
        const std::uint64_t endRow = std::min(visible.row + visible.rows, world.row + world.rows);
        const std::uint64_t endColumn = std::min(visible.column + visible.columns, world.column + world.columns);
        if (firstRow >= endRow || firstColumn >= endColumn) return;
        const auto rows = tilesOver(firstRow - world.row, endRow - firstRow, edge * grid.cell);
        const auto columns = tilesOver(firstColumn - world.column, endColumn - firstColumn, edge * grid.cell);
        for (std::uint64_t row = rows.begin; row < rows.end; ++row)
            for (std::uint64_t column = columns.begin; column < columns.end; ++column) {
                const stats::MatrixRegion cells{row * edge, column * edge, std::min(edge, grid.rows() - row * edge),
                                                std::min(edge, grid.columns() - column * edge)};
                const Key key{name, row, column};
                if (!tiles.contains(key)) tiles.emplace(key, makeTile(grid, cells));
                const std::uint64_t top = cells.row * grid.cell, left = cells.column * grid.cell;
                drawTile(list, area, tiles.at(key),
                         {world.row + top, world.column + left, std::min(cells.rows * grid.cell, world.rows - top),
                          std::min(cells.columns * grid.cell, world.columns - left)});
            }
    };
    // What the nearer look covers is not drawn twice: on software devices that halves the time of a frame.
    const bool detailed = withDetail && m_detail;
    if (!detailed || !covers(m_detail->region, visible)) drawGrid(m_map->levels[level], m_tiles, level, tileEdge);
    if (detailed) drawGrid(*m_detail, m_detailTiles, 0, detailEdge);
    dropOldTiles();
}

} // namespace wb::ui
