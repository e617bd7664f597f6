// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace wb::quant {

// A block of a type (32 elements of a row for the plain types) and the error it has.
struct WorstBlock {
    std::uint64_t row = 0;
    std::uint64_t column = 0; // its first element
    double squaredError = 0;  // Σe²
};

// Larger error first; of equal ones the block that comes first in the tensor.
bool isWorse(const WorstBlock& a, const WorstBlock& b);

// A matrix seen as rows x columns cells, row-major.
struct ErrorMap {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<float> cells; // root of the mean squared error of a cell's elements; 0 where no row of it was looked at
    std::vector<std::optional<WorstBlock>>
        worst; // the worst block of those that reach into the cell; empty where none was looked at
};

// Gathers an error map. One for each part of the tensor keeps only the rows of cells that part touches, so that many parts take
// little.
class ErrorMapSums {
public:
    ErrorMapSums() = default; // gathers nothing
    ErrorMapSums(std::size_t mapRows, std::size_t mapColumns, std::uint64_t tensorRows, std::uint64_t rowLength);

    bool isEmpty() const { return m_columns == 0; }
    void beginRow(std::uint64_t row); // of the tensor; rows come in ascending order
    void add(std::uint64_t column, double squaredError) {
        Cell& cell = m_cells[m_row + columnCell(column)];
        cell.squaredError += squaredError;
        ++cell.count;
    }
    void addBlock(const WorstBlock& block, std::uint64_t length); // of the row begun
    void add(const ErrorMapSums& later);                          // a part whose rows come after
    ErrorMap map() const;

private:
    struct Cell {
        double squaredError = 0;
        std::uint64_t count = 0;
        std::optional<WorstBlock> worst;
    };
    std::size_t columnCell(std::uint64_t column) const { return static_cast<std::size_t>(column * m_columns / m_rowLength); }
    void reach(std::size_t mapRow); // grows down to this row of cells
    static void keepWorse(Cell& cell, const WorstBlock& block);

    std::size_t m_rows = 0;
    std::size_t m_columns = 0;
    std::uint64_t m_tensorRows = 1;
    std::uint64_t m_rowLength = 1;
    std::size_t m_first = 0; // row of cells that m_cells starts with
    std::size_t m_row = 0;   // where the row begun has its cells in m_cells
    std::vector<Cell> m_cells;
};

} // namespace wb::quant
