// SPDX-License-Identifier: MIT
#include "core/stats/map/largest.h"

#include "core/stats/map/map_values.h"
#include "core/stats/value_reader.h"

#include <algorithm>
#include <cmath>

namespace wb::stats {
namespace {

constexpr std::uint64_t stripColumns = 65'536;

// The cells that contain the wanted elements, in rows of cells: all whose absmax is above that of the last wanted
// cell, and of those equal to it as many rows of cells as are needed, because later rows have higher indices.
std::vector<std::uint64_t> cellsToRead(const MapGrid& grid, std::size_t count) {
    std::vector<std::uint64_t> cells;
    for (std::uint64_t at = 0; at < grid.absmax.size(); ++at)
        if (!std::isnan(grid.absmax[at])) cells.push_back(at);
    if (cells.size() <= count) return cells;
    const auto last = cells.begin() + static_cast<std::ptrdiff_t>(count) - 1;
    std::ranges::nth_element(cells, last, std::ranges::greater(), [&](std::uint64_t at) { return grid.absmax[at]; });
    const float limit = grid.absmax[*last];
    std::size_t equal =
        count - static_cast<std::size_t>(std::ranges::count_if(grid.absmax, [&](float absmax) { return absmax > limit; }));
    std::uint64_t lastRow = grid.rows();
    cells.clear();
    for (std::uint64_t at = 0; at < grid.absmax.size(); ++at) {
        const bool wanted = grid.absmax[at] > limit || (grid.absmax[at] == limit && at / grid.columns() <= lastRow);
        if (wanted) cells.push_back(at);
        if (wanted && grid.absmax[at] == limit && equal > 0 && --equal == 0) lastRow = at / grid.columns();
    }
    return cells;
}

// Keeps the `count` largest values of all that are added.
class Collector {
public:
    explicit Collector(std::size_t count) : m_count(count) {}

    void add(std::span<const float> values, std::uint64_t first) {
        for (std::size_t i = 0; i < values.size(); ++i)
            if (std::isfinite(values[i])) m_candidates.push_back({std::abs(values[i]), first + i});
        if (m_candidates.size() > 16 * m_count + stripColumns) cut();
    }

    std::vector<std::uint64_t> indices() && {
        cut();
        std::vector<std::uint64_t> indices;
        for (const Candidate& candidate : m_candidates) indices.push_back(candidate.index);
        return indices;
    }

private:
    struct Candidate {
        float magnitude;
        std::uint64_t index;
    };

    void cut() {
        const std::size_t kept = std::min(m_count, m_candidates.size());
        const auto leads = [](const Candidate& a, const Candidate& b) {
            return a.magnitude != b.magnitude ? a.magnitude > b.magnitude : a.index < b.index;
        };
        std::ranges::partial_sort(m_candidates, m_candidates.begin() + static_cast<std::ptrdiff_t>(kept), leads);
        m_candidates.resize(kept);
    }

    std::size_t m_count;
    std::vector<Candidate> m_candidates;
};

// Reads the elements of neighboring cells of one row of cells.
Result<void> readCells(const MapInput& input, const TensorMap& map, std::uint64_t cell, std::uint64_t cells, Collector& collector) {
    const MapGrid& grid = map.levels.front();
    const std::uint64_t row = cell / grid.columns() * grid.cell, column = cell % grid.columns() * grid.cell;
    const std::uint64_t rows = std::min<std::uint64_t>(grid.cell, grid.region.rows - row);
    const std::uint64_t end = std::min(column + cells * grid.cell, grid.region.columns);
    MapValues values(input);
    for (std::uint64_t r = row; r < row + rows; ++r)
        for (std::uint64_t c = column; c < end; c += stripColumns) {
            const std::uint64_t index = map.matrix.index(r, c);
            WB_TRY_ASSIGN(const auto read, values.read(index, std::min(stripColumns, end - c)));
            collector.add(read, index);
        }
    return {};
}

} // namespace

Result<std::vector<TopElement>> largestElements(const MapInput& input, const TensorMap& map, std::size_t count,
                                                const Progress& progress) {
    if (map.levels.empty() || count == 0) return {};
    const std::vector<std::uint64_t> cells = cellsToRead(map.levels.front(), count);
    const std::uint64_t across = map.levels.front().columns();
    Collector collector(count);
    for (std::size_t begin = 0, end = 0; begin < cells.size(); begin = end) {
        for (end = begin + 1; end < cells.size() && cells[end] == cells[end - 1] + 1 && cells[end] % across != 0;) ++end;
        WB_TRY(readCells(input, map, cells[begin], end - begin, collector));
        WB_TRY(progress.at(end, cells.size()));
    }
    ValueReader original(*input.tensor);
    std::optional<ValueReader> minus;
    if (input.minus) minus.emplace(*input.minus);
    std::vector<TopElement> top;
    for (const std::uint64_t index : std::move(collector).indices()) {
        WB_TRY_ASSIGN(const auto value, original.read(index, 1));
        double shown = value[0];
        if (minus) {
            WB_TRY_ASSIGN(const auto other, minus->read(index, 1));
            shown -= other[0];
        }
        top.push_back({index, shown});
    }
    return top;
}

} // namespace wb::stats
