// SPDX-License-Identifier: MIT
#include "core/stats/map/matrix.h"

#include <algorithm>

namespace wb::stats {
namespace {

bool isStack(const Shape& shape) { return shape.rank() >= 3 && shape.rowLength() >= kernelRow; }

} // namespace

std::uint64_t sliceCount(const Shape& shape) {
    if (!isStack(shape) || shape.elements() == 0) return 1;
    return shape.elements() / (shape[shape.rank() - 2] * shape.rowLength());
}

Matrix sliceMatrix(const Shape& shape, std::uint64_t slice) {
    if (shape.rank() == 0) return {};
    if (shape.rank() == 1) return {0, 1, shape[0]};
    if (shape.elements() == 0) return {0, 0, 0};
    if (!isStack(shape)) return {0, shape[0], shape.elements() / shape[0]};
    const std::uint64_t rows = shape[shape.rank() - 2];
    return {slice * rows * shape.rowLength(), rows, shape.rowLength()};
}

MatrixRegion intersection(const MatrixRegion& a, const MatrixRegion& b) {
    const std::uint64_t row = std::max(a.row, b.row), column = std::max(a.column, b.column);
    const std::uint64_t rowEnd = std::min(a.row + a.rows, b.row + b.rows);
    const std::uint64_t columnEnd = std::min(a.column + a.columns, b.column + b.columns);
    if (row >= rowEnd || column >= columnEnd) return {row, column, 0, 0};
    return {row, column, rowEnd - row, columnEnd - column};
}

std::vector<MatrixRegion> without(const MatrixRegion& region, const MatrixRegion& part) {
    const MatrixRegion hole = intersection(region, part);
    if (hole.rows == 0) return {region};
    const std::uint64_t holeRowEnd = hole.row + hole.rows, holeColumnEnd = hole.column + hole.columns;
    std::vector<MatrixRegion> rest = {{region.row, region.column, hole.row - region.row, region.columns},
                                      {holeRowEnd, region.column, region.row + region.rows - holeRowEnd, region.columns},
                                      {hole.row, region.column, hole.rows, hole.column - region.column},
                                      {hole.row, holeColumnEnd, hole.rows, region.column + region.columns - holeColumnEnd}};
    std::erase_if(rest, [](const MatrixRegion& piece) { return piece.rows == 0 || piece.columns == 0; });
    return rest;
}

} // namespace wb::stats
