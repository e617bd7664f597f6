// SPDX-License-Identifier: MIT
#include "gpu/heatmap/assemble.h"

#include <bit>
#include <cmath>
#include <limits>

namespace wb::gpu {
namespace {

constexpr float none = std::numeric_limits<float>::quiet_NaN();

double exactSum(const RectangleSums& sums) { return std::ldexp(double{sums.sum}, sums.exponent); }
double exactSquares(const RectangleSums& sums) { return std::ldexp(double{sums.squares}, 2 * sums.exponent); }

float rootMean(double squares, std::uint64_t count) {
    return count == 0 ? none : static_cast<float>(std::sqrt(squares / static_cast<double>(count)));
}

} // namespace

MapAssembler::MapAssembler(const stats::Matrix& matrix, std::uint32_t cell)
    : m_matrix(matrix), m_rows(matrix.rows <= stats::profileCap ? matrix.rows : 0),
      m_columns(matrix.columns <= stats::profileCap ? matrix.columns : 0) {
    m_grid.cell = cell;
    m_grid.region = {0, 0, matrix.rows, matrix.columns};
    const std::uint64_t cells = m_grid.rows() * m_grid.columns();
    m_grid.absmax.resize(cells);
    m_grid.mean.resize(cells);
    m_grid.rms.resize(cells);
}

void MapAssembler::Line::add(const RectangleSums& sums) {
    absmax = std::max(absmax, std::bit_cast<float>(sums.absmax));
    squares += exactSquares(sums);
    bad += std::uint64_t{sums.nan} + sums.inf;
}

void MapAssembler::add(std::uint64_t first, std::uint64_t rows, const BandSums& sums) {
    const std::uint64_t firstCell = first / m_grid.cell * m_grid.columns();
    for (std::size_t i = 0; i < sums.cells.size(); ++i) {
        const std::uint64_t at = firstCell + i;
        takeCell(at, m_grid.cellElements(at / m_grid.columns(), at % m_grid.columns()), sums.cells[i]);
    }
    const std::uint64_t pieces = (m_matrix.columns + rowPiece - 1) / rowPiece;
    if (!m_rows.empty())
        for (std::uint64_t i = 0; i < rows * pieces; ++i) m_rows[first + i / pieces].add(sums.rows[i]);
    for (std::size_t i = 0; i < m_columns.size(); ++i) m_columns[i].add(sums.columns[i]);
}

void MapAssembler::takeCell(std::uint64_t at, std::uint64_t elements, const RectangleSums& sums) {
    const std::uint64_t finite = elements - sums.nan - sums.inf;
    m_grid.absmax[at] = finite == 0 ? none : std::bit_cast<float>(sums.absmax);
    m_grid.mean[at] = finite == 0 ? none : static_cast<float>(exactSum(sums) / static_cast<double>(finite));
    m_grid.rms[at] = rootMean(exactSquares(sums), finite);
    if (finite == elements && m_grid.nan.empty()) return;
    m_grid.nan.resize(m_grid.mean.size());
    m_grid.inf.resize(m_grid.mean.size());
    m_grid.nan[at] = sums.nan;
    m_grid.inf[at] = sums.inf;
}

stats::Profile MapAssembler::assembleProfile(const std::vector<Line>& lines, std::uint64_t across) {
    stats::Profile profile;
    for (const Line& line : lines) {
        profile.absmax.push_back(line.bad == across ? none : line.absmax);
        profile.rms.push_back(rootMean(line.squares, across - line.bad));
    }
    return profile;
}

stats::BuiltGrid MapAssembler::finish() && {
    return {std::move(m_grid), assembleProfile(m_rows, m_matrix.columns), assembleProfile(m_columns, m_matrix.rows)};
}

} // namespace wb::gpu
