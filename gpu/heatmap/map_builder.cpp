// SPDX-License-Identifier: MIT
#include "gpu/heatmap/map_builder.h"

#include "core/stats/elements.h"
#include "gpu/heatmap/assemble.h"

#include <algorithm>

namespace wb::gpu {
namespace {

// Elements of a band: few on software devices, so that a stop is noticed soon.
std::uint64_t bandElements(const DeviceInfo& device) { return device.software() ? 512u << 10 : 4u << 20; }

// Rows of a band: a multiple of the cell, no more than the matrix needs; 0 where not even one row of cells fits.
std::uint64_t bandRows(const DeviceInfo& device, const stats::Matrix& matrix, std::uint32_t cell) {
    const std::uint64_t cellsDown = std::min(bandElements(device) / matrix.columns / cell, (matrix.rows + cell - 1) / cell);
    return cellsDown * cell;
}

} // namespace

bool canBuildMap(const stats::MapInput& input, const stats::Matrix& matrix) {
    if (input.minus != nullptr || matrix.elements() == 0) return false;
    const std::uint64_t block = info(input.tensor->dtype()).blockElements;
    return !stats::isWide(input.tensor->dtype()) && matrix.first % block == 0 && matrix.columns % block == 0;
}

bool fitsMapBand(const DeviceInfo& device, const stats::Matrix& matrix) {
    return bandRows(device, matrix, stats::finestCell(matrix)) > 0;
}

Result<stats::TensorMap> buildMap(const DevicePtr& device, const TensorReader& tensor, const stats::Matrix& matrix,
                                  const Progress& progress) {
    const std::uint32_t cell = stats::finestCell(matrix);
    const std::uint64_t rowsAtOnce = bandRows(device->info(), matrix, cell);
    const BandReducer::Shape shape{tensor.dtype(), static_cast<std::uint32_t>(matrix.columns),
                                   static_cast<std::uint32_t>(rowsAtOnce), cell};
    WB_TRY_ASSIGN(BandReducer reducer, BandReducer::make(device, shape));
    MapAssembler assembler(matrix, cell);
    const std::uint64_t total = tensor.byteCount(matrix.elements());
    for (std::uint64_t row = 0; row < matrix.rows; row += rowsAtOnce) {
        const std::uint64_t rows = std::min(rowsAtOnce, matrix.rows - row);
        const std::uint64_t bytes = tensor.byteCount(rows * matrix.columns);
        WB_TRY(tensor.readRaw(matrix.index(row, 0), rows * matrix.columns, reducer.stored().first(bytes)));
        WB_TRY_ASSIGN(const BandSums sums, reducer.reduce(static_cast<std::uint32_t>(rows), bytes));
        assembler.add(row, rows, sums);
        WB_TRY(progress.at(tensor.byteCount((row + rows) * matrix.columns), total));
    }
    WB_TRY(tensor.checkUnchanged());
    return stats::assembleMap(matrix, std::move(assembler).finish());
}

} // namespace wb::gpu
