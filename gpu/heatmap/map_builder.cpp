// SPDX-License-Identifier: MIT
#include "gpu/heatmap/map_builder.h"

#include "core/stats/elements.h"
#include "gpu/decode/read_slab.h"
#include "gpu/heatmap/assemble.h"

#include <algorithm>
#include <vector>

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
    MapAssembler assembler(matrix, cell);
    const std::uint64_t total = tensor.byteCount(matrix.elements()), bands = (matrix.rows + rowsAtOnce - 1) / rowsAtOnce;
    std::vector<BandReducer> reducers;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(bands, 2); ++i) {
        WB_TRY_ASSIGN(BandReducer reducer, BandReducer::make(device, shape));
        reducers.push_back(std::move(reducer));
    }
    const auto rowsOf = [&](std::uint64_t band) { return std::min(rowsAtOnce, matrix.rows - band * rowsAtOnce); };
    // The rest of the previous band in the reducer of `band` there.
    const auto collect = [&](std::uint64_t band) -> Result<void> {
        WB_TRY_ASSIGN(const auto sums, reducers[band % reducers.size()].finish());
        if (!sums) return {};
        const std::uint64_t done = band - reducers.size();
        assembler.add(done * rowsAtOnce, rowsOf(done), *sums);
        return progress.at(tensor.byteCount((done * rowsAtOnce + rowsOf(done)) * matrix.columns), total);
    };
    for (std::uint64_t band = 0; band < bands; ++band) {
        WB_TRY(collect(band));
        BandReducer& reducer = reducers[band % reducers.size()];
        const std::uint64_t bytes = tensor.byteCount(rowsOf(band) * matrix.columns);
        WB_TRY(readSlab(tensor, matrix.index(band * rowsAtOnce, 0), rowsOf(band) * matrix.columns, reducer.stored().first(bytes),
                        progress.stop));
        WB_TRY(reducer.start(static_cast<std::uint32_t>(rowsOf(band)), bytes));
    }
    for (std::uint64_t i = 0; i < reducers.size(); ++i) WB_TRY(collect(bands + i));
    WB_TRY(tensor.checkUnchanged());
    return stats::assembleMap(matrix, std::move(assembler).finish());
}

} // namespace wb::gpu
