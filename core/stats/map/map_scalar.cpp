// SPDX-License-Identifier: MIT
#include "core/stats/map/map_build.h"
#include "core/stats/map/map_values.h"

#include <cmath>
#include <limits>

namespace wb::stats {
namespace {

constexpr float noValue = std::numeric_limits<float>::quiet_NaN();

// The sums of the elements of one cell, row or column.
struct Summary {
    float absmax = 0;
    double sum = 0, squares = 0;
    std::uint64_t finite = 0;
    std::uint32_t nan = 0, inf = 0;

    void add(float value) {
        if (std::isnan(value)) ++nan;
        else if (std::isinf(value)) ++inf;
        else {
            absmax = std::max(absmax, std::abs(value));
            sum += double{value};
            squares += double{value} * double{value};
            ++finite;
        }
    }
    float largest() const { return finite == 0 ? noValue : absmax; }
    float mean() const { return finite == 0 ? noValue : static_cast<float>(sum / static_cast<double>(finite)); }
    float rms() const { return finite == 0 ? noValue : static_cast<float>(std::sqrt(squares / static_cast<double>(finite))); }
};

Profile sumsProfile(const std::vector<Summary>& sums) {
    Profile profile;
    if (sums.size() > profileCap) return profile;
    for (const Summary& sum : sums) {
        profile.absmax.push_back(sum.largest());
        profile.rms.push_back(sum.rms());
    }
    return profile;
}

MapGrid matrixGrid(const Matrix& matrix, const std::vector<Summary>& cells) {
    MapGrid grid;
    grid.cell = finestCell(matrix);
    grid.region = {0, 0, matrix.rows, matrix.columns};
    bool bad = false;
    for (const Summary& cell : cells) {
        grid.absmax.push_back(cell.largest());
        grid.mean.push_back(cell.mean());
        grid.rms.push_back(cell.rms());
        bad = bad || cell.nan + cell.inf > 0;
    }
    for (const Summary& cell : cells) {
        if (!bad) break;
        grid.nan.push_back(cell.nan);
        grid.inf.push_back(cell.inf);
    }
    return grid;
}

} // namespace

Result<TensorMap> buildMapScalar(const MapInput& input, const Matrix& matrix) {
    WB_TRY(checkInput(input, matrix));
    if (matrix.elements() == 0) return TensorMap{matrix, {}, {}, {}, 0, 0, 0};
    const std::uint64_t cell = finestCell(matrix);
    const std::uint64_t across = (matrix.columns + cell - 1) / cell;
    std::vector<Summary> cells((matrix.rows + cell - 1) / cell * across), rows(matrix.rows), columns(matrix.columns);
    MapValues values(input);
    WB_TRY_ASSIGN(const auto all, values.read(matrix.first, matrix.elements()));
    for (std::uint64_t row = 0; row < matrix.rows; ++row)
        for (std::uint64_t column = 0; column < matrix.columns; ++column) {
            const float value = all[row * matrix.columns + column];
            cells[row / cell * across + column / cell].add(value);
            rows[row].add(value);
            columns[column].add(value);
        }
    return assembleMap(matrix, {matrixGrid(matrix, cells), sumsProfile(rows), sumsProfile(columns)});
}

} // namespace wb::stats
