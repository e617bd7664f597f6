// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// The inner loops of the overview maps. Each has a readable scalar twin; equal exactly: everything but the sums along a row, which
// run in another order.
namespace wb::stats {

// Running sums of neighboring columns over their finite elements; every span has one entry a column.
struct ColumnSums {
    std::span<float> absmax;
    std::span<double> sum, squares;
};

// Adds `rows` rows of absmax.size() values that are `stride` apart. Answers whether every value was finite.
bool addColumns(const float* values, std::size_t stride, std::size_t rows, const ColumnSums& sums);

// Sums along one row, over finite elements. In f64, so that squares of any f32 neither overflow nor vanish.
struct RowSums {
    float absmax = 0;
    double sum = 0, squares = 0;
};
RowSums sumRow(std::span<const float> values);

namespace scalar {
bool addColumns(const float* values, std::size_t stride, std::size_t rows, const ColumnSums& sums);
RowSums sumRow(std::span<const float> values);
} // namespace scalar

} // namespace wb::stats
