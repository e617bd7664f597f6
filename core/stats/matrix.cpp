// SPDX-License-Identifier: MIT
#include "core/stats/matrix.h"

namespace wb::stats {
namespace {

bool isStack(const Shape& shape) { return shape.rank() >= 3 && shape.rowLength() >= kernelRow; }

} // namespace

std::uint64_t sliceCount(const Shape& shape) {
    if (!isStack(shape) || shape.elements() == 0) return 1;
    return shape.elements() / (shape[shape.rank() - 2] * shape.rowLength());
}

Matrix matrixOf(const Shape& shape, std::uint64_t slice) {
    if (shape.rank() == 0) return {};
    if (shape.rank() == 1) return {0, 1, shape[0]};
    if (shape.elements() == 0) return {0, 0, 0};
    if (!isStack(shape)) return {0, shape[0], shape.elements() / shape[0]};
    const std::uint64_t rows = shape[shape.rank() - 2];
    return {slice * rows * shape.rowLength(), rows, shape.rowLength()};
}

} // namespace wb::stats
