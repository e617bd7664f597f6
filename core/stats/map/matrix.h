// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/shape.h"

#include <cstdint>
#include <vector>

namespace wb::stats {

// One matrix of a tensor as pictures show it: `rows` lines of `columns` elements that are one after another from flat index
// `first`.
struct Matrix {
    std::uint64_t first = 0;
    std::uint64_t rows = 1;
    std::uint64_t columns = 1;

    std::uint64_t elements() const { return rows * columns; }
    std::uint64_t index(std::uint64_t row, std::uint64_t column) const { return first + row * columns + column; }
    friend bool operator==(const Matrix&, const Matrix&) = default;
};

// A rectangle of a matrix, in elements.
struct MatrixRegion {
    std::uint64_t row = 0;
    std::uint64_t column = 0;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;

    friend bool operator==(const MatrixRegion&, const MatrixRegion&) = default;
};

// What two rectangles share; no rows or columns where they share nothing.
MatrixRegion intersection(const MatrixRegion& a, const MatrixRegion& b);

// A rectangle without a part of it, as up to four rectangles: above, below, left and right of the part.
std::vector<MatrixRegion> without(const MatrixRegion& region, const MatrixRegion& part);

// How many matrices a tensor is shown as: one, or for rank 3 and more the product of all dimensions but the last two (experts). A
// stack whose rows are shorter than kernelRow is the kernels of a convolution and one matrix of [d0, all others].
inline constexpr std::uint64_t kernelRow = 16;
std::uint64_t sliceCount(const Shape& shape);

// The matrix with this number, below sliceCount. A vector is one row, a scalar 1 x 1.
Matrix sliceMatrix(const Shape& shape, std::uint64_t slice);

} // namespace wb::stats
