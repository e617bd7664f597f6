// SPDX-License-Identifier: MIT
#include "core/stats/map/map.h"
#include "core/stats/map/map_build.h"
#include "core/stats/map/map_values.h"

#include <algorithm>

namespace wb::stats {
namespace {

constexpr std::uint64_t cellsCap = std::uint64_t{1} << 26;

std::uint64_t cellsAlong(std::uint64_t elements, std::uint64_t cell) { return elements / cell + (elements % cell != 0); }

Result<void> checkRegion(const Matrix& matrix, const MatrixRegion& region, std::uint32_t cell) {
    const bool inside = region.row <= matrix.rows && region.rows <= matrix.rows - region.row && region.column <= matrix.columns &&
                        region.columns <= matrix.columns - region.column;
    if (inside && cell != 0 && (region.rows == 0 || cellsAlong(region.columns, cell) <= cellsCap / cellsAlong(region.rows, cell)))
        return {};
    return fail(ErrorCode::Internal, Reason("stats.map_region"),
                WB_TEXT("A heat map requested elements that the tensor does not have."));
}

Result<MapGrid> readElements(const MapInput& input, const Matrix& matrix, const MatrixRegion& region, const Progress& progress) {
    MapGrid grid;
    grid.region = region;
    grid.mean.reserve(region.rows * region.columns);
    MapValues values(input);
    for (std::uint64_t row = 0; row < region.rows; ++row) {
        WB_TRY_ASSIGN(const auto line, values.read(matrix.index(region.row + row, region.column), region.columns));
        grid.mean.insert(grid.mean.end(), line.begin(), line.end());
        WB_TRY(progress.at(row + 1, region.rows));
    }
    return grid;
}

Result<MapGrid> readAll(const MapInput& input, const Matrix& matrix, const MatrixRegion& region, std::uint32_t cell,
                        const Progress& progress) {
    if (cell == 1) return readElements(input, matrix, region, progress);
    WB_TRY_ASSIGN(auto built, buildGrid(input, matrix, region, cell, false, 1, progress));
    return std::move(built.grid);
}

// Along one axis: where the cells of two ranges of elements are the same, and how many elements those hold. A last cell that is cut
// off in only one of the ranges is not the same.
struct Span {
    std::uint64_t begin, count;
};

Span sharedSpan(std::uint64_t first, std::uint64_t firstCount, std::uint64_t second, std::uint64_t secondCount,
                std::uint64_t cell) {
    const std::uint64_t begin = std::max(first, second), end = std::min(first + firstCount, second + secondCount);
    if (end <= begin || (begin - std::min(first, second)) % cell != 0) return {begin, 0};
    const bool cutAlike = first + firstCount == second + secondCount;
    return {begin, cutAlike ? end - begin : (end - begin) / cell * cell};
}

MatrixRegion sharedCells(const MapGrid& known, const MatrixRegion& region) {
    const auto [row, rows] = sharedSpan(known.region.row, known.region.rows, region.row, region.rows, known.cell);
    const auto [column, columns] = sharedSpan(known.region.column, known.region.columns, region.column, region.columns, known.cell);
    return {row, column, rows, columns};
}

// Copies the cells of one region, which both grids hold, from `from` to `to`.
class CellCopy {
public:
    CellCopy(MapGrid& to, const MapGrid& from, const MatrixRegion& region)
        : m_to(to), m_from(from), m_rows(cellsAlong(region.rows, to.cell)), m_columns(cellsAlong(region.columns, to.cell)),
          m_toFirst(firstCell(to, region)), m_fromFirst(firstCell(from, region)) {}

    void run() const {
        copy(m_to.absmax, m_from.absmax);
        copy(m_to.mean, m_from.mean);
        copy(m_to.rms, m_from.rms);
        copy(m_to.nan, m_from.nan);
        copy(m_to.inf, m_from.inf);
    }

private:
    static std::uint64_t firstCell(const MapGrid& grid, const MatrixRegion& region) {
        return (region.row - grid.region.row) / grid.cell * grid.columns() + (region.column - grid.region.column) / grid.cell;
    }

    template <typename T>
    void copy(std::vector<T>& to, const std::vector<T>& from) const {
        if (from.empty()) return; // then `to` needs no list either
        to.resize(m_to.rows() * m_to.columns());
        for (std::uint64_t row = 0; row < m_rows; ++row)
            std::copy_n(from.data() + m_fromFirst + row * m_from.columns(), m_columns,
                        to.data() + m_toFirst + row * m_to.columns());
    }

    MapGrid& m_to;
    const MapGrid& m_from;
    std::uint64_t m_rows, m_columns; // cells
    std::uint64_t m_toFirst, m_fromFirst;
};

} // namespace

Result<MapGrid> readGrid(const MapInput& input, const Matrix& matrix, const MatrixRegion& region, std::uint32_t cell,
                         const Progress& progress, const MapGrid* known) {
    WB_TRY(checkInput(input, matrix));
    WB_TRY(checkRegion(matrix, region, cell));
    const MatrixRegion shared = known && known->cell == cell ? sharedCells(*known, region) : MatrixRegion{};
    if (shared.rows == 0 || shared.columns == 0) return readAll(input, matrix, region, cell, progress);
    MapGrid grid;
    grid.cell = cell;
    grid.region = region;
    CellCopy(grid, *known, shared).run();
    for (const MatrixRegion& part : without(region, shared)) {
        WB_TRY_ASSIGN(const MapGrid read, readAll(input, matrix, part, cell, progress));
        CellCopy(grid, read, part).run();
    }
    return grid;
}

} // namespace wb::stats
