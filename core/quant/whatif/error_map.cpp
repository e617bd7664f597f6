// SPDX-License-Identifier: MIT
#include "core/quant/whatif/error_map.h"

#include <algorithm>
#include <cmath>

namespace wb::quant {

bool isWorse(const WorstBlock& a, const WorstBlock& b) {
    if (a.squaredError != b.squaredError) return a.squaredError > b.squaredError;
    return a.row != b.row ? a.row < b.row : a.column < b.column;
}

ErrorMapSums::ErrorMapSums(std::size_t mapRows, std::size_t mapColumns, std::uint64_t tensorRows, std::uint64_t rowLength)
    : m_rows(mapRows), m_columns(mapRows == 0 ? 0 : mapColumns), m_tensorRows(std::max<std::uint64_t>(1, tensorRows)),
      m_rowLength(std::max<std::uint64_t>(1, rowLength)) {}

void ErrorMapSums::reach(std::size_t mapRow) { m_cells.resize(std::max(m_cells.size(), (mapRow - m_first + 1) * m_columns)); }

void ErrorMapSums::beginRow(std::uint64_t row) {
    const auto mapRow = static_cast<std::size_t>(row * m_rows / m_tensorRows);
    if (m_cells.empty()) m_first = mapRow;
    reach(mapRow);
    m_row = (mapRow - m_first) * m_columns;
}

void ErrorMapSums::keepWorse(Cell& cell, const WorstBlock& block) {
    if (!cell.worst || isWorse(block, *cell.worst)) cell.worst = block;
}

void ErrorMapSums::addBlock(const WorstBlock& block, std::uint64_t length) {
    const std::size_t last = columnCell(block.column + length - 1);
    for (std::size_t x = columnCell(block.column); x <= last; ++x) keepWorse(m_cells[m_row + x], block);
}

void ErrorMapSums::add(const ErrorMapSums& later) {
    if (later.m_cells.empty()) return;
    if (m_cells.empty()) m_first = later.m_first;
    const std::size_t rows = later.m_cells.size() / m_columns;
    reach(later.m_first + rows - 1);
    const std::size_t begin = (later.m_first - m_first) * m_columns;
    for (std::size_t i = 0; i < later.m_cells.size(); ++i) {
        Cell& cell = m_cells[begin + i];
        cell.squaredError += later.m_cells[i].squaredError;
        cell.count += later.m_cells[i].count;
        if (later.m_cells[i].worst) keepWorse(cell, *later.m_cells[i].worst);
    }
}

ErrorMap ErrorMapSums::map() const {
    ErrorMap map{m_rows, m_columns, std::vector<float>(m_rows * m_columns), {}};
    map.worst.resize(map.cells.size());
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        const Cell& cell = m_cells[i];
        const std::size_t at = m_first * m_columns + i;
        map.worst[at] = cell.worst;
        if (cell.count > 0) map.cells[at] = static_cast<float>(std::sqrt(cell.squaredError / static_cast<double>(cell.count)));
    }
    return map;
}

} // namespace wb::quant
