// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/map/map.h"
#include "ui/widgets/imgui/imgui_widget.h"
#include "ui/widgets/imgui/plot_drawing.h"

#include <map>
#include <memory>

namespace wb::ui {

// Which number of a cell is shown as its color.
enum class MapStatistic { Value, Largest, Rms };

// The value that a cell is colored by: NaN where it holds a NaN, an infinity where it holds one, else the statistic. Of single
// elements Largest and Rms are the magnitude.
float cellValue(const stats::MapGrid& grid, std::size_t at, MapStatistic statistic);

bool covers(const stats::MatrixRegion& outer, const stats::MatrixRegion& inner);

// The textures of one heat map: tiles of the levels of its map and of one grid for a nearer look, made when they are first seen.
// Tiles start at multiples of their size, so that another look at a region nearby continues with those that both have.
class MapLayers {
public:
    static constexpr std::uint64_t tileEdge = 256;   // cells
    static constexpr std::size_t tilesKept = 16;     // 4 MiB, unless more are seen at once
    static constexpr std::uint64_t detailEdge = 128; // cells of a tile of the nearer look

    explicit MapLayers(ImGuiWidget& host) : m_host(host) {}

    void setMap(std::shared_ptr<const stats::TensorMap> map);
    void setDetail(std::shared_ptr<const stats::MapGrid> detail);
    void setStatistic(MapStatistic statistic);
    void setColors(const gpu::imview::ColorScale& scale); // of everything that is drawn from now on
    void forget();                                        // textures are gone with their device

    // Draws the level and, over it, the nearer look.
    void draw(ImDrawList& list, const PlotArea& area, std::size_t level, const stats::MatrixRegion& visible, bool withDetail);

private:
    struct Key {
        std::size_t level;
        std::uint64_t row, column; // of the tile
        auto operator<=>(const Key&) const = default;
    };
    struct Tile {
        gpu::imview::TextureId texture = 0;
        quint64 lastFrame = 0;
        quint64 scale = 0; // number of the colors it was given
    };

    using Tiles = std::map<Key, Tile>;

    Tile makeTile(const stats::MapGrid& grid, const stats::MatrixRegion& elements);
    void drawTile(ImDrawList& list, const PlotArea& area, Tile& tile, const stats::MatrixRegion& elements);
    void drawGrid(ImDrawList& list, const PlotArea& area, const stats::MapGrid& grid, Tiles& tiles, std::size_t level,
                  const stats::MatrixRegion& seen);
    void dropTile(const Tile& tile) { m_dropped.push_back(tile.texture); }
    void dropOldTiles();
    void dropAll();

    ImGuiWidget& m_host;
    std::shared_ptr<const stats::TensorMap> m_map;
    std::shared_ptr<const stats::MapGrid> m_detail;
    MapStatistic m_statistic = MapStatistic::Largest;
    gpu::imview::ColorScale m_scale;
    quint64 m_scaleNumber = 1;
    quint64 m_frame = 0;
    Tiles m_tiles, m_detailTiles;
    std::vector<gpu::imview::TextureId> m_dropped; // given back with the next frame, as that alone is no reason for one
};

} // namespace wb::ui
