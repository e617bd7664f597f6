// SPDX-License-Identifier: MIT
#include "gpu/heatmap/map_backend.h"

#include "core/stats/elements.h"
#include "gpu/heatmap/assemble.h"

#include <algorithm>

namespace wb::gpu {
namespace {

// Elements of a band: small on software devices, so that a stop is noticed soon.
std::uint64_t bandElements(const DeviceInfo& device) { return device.software() ? 512u << 10 : 4u << 20; }

// Rows of a band, a multiple of the cell that need not be larger than the matrix; 0 where not even one row of cells fits.
std::uint64_t bandRows(const stats::Matrix& matrix, std::uint32_t cell, std::uint64_t elements) {
    const std::uint64_t cellsDown = std::min(elements / matrix.columns / cell, (matrix.rows + cell - 1) / cell);
    return cellsDown * cell;
}

bool canDecode(const TensorReader& tensor, const stats::Matrix& matrix) {
    const std::uint64_t block = info(tensor.dtype()).blockElements;
    return !stats::isWide(tensor.dtype()) && matrix.first % block == 0 && matrix.columns % block == 0;
}

class GpuMapBackend final : public stats::MapBackend {
public:
    explicit GpuMapBackend(std::function<Result<DevicePtr>()> open) : m_open(std::move(open)), m_cpu(stats::makeCpuMapBackend()) {}

    const char* name() const override { return "gpu"; }

    Result<stats::TensorMap> build(const stats::MapInput& input, const stats::Matrix& matrix, const Progress& progress) override {
        WB_TRY(stats::checkInput(input, matrix));
        if (input.minus != nullptr || matrix.elements() == 0 || !canDecode(*input.tensor, matrix))
            return m_cpu->build(input, matrix, progress);
        const auto device = m_open();
        if (!device) return onCpu(input, matrix, progress, device.error());
        if (*device == nullptr) return m_cpu->build(input, matrix, progress);
        const std::uint32_t cell = stats::finestCell(matrix);
        const std::uint64_t rows = bandRows(matrix, cell, bandElements((*device)->info()));
        if (rows == 0) return m_cpu->build(input, matrix, progress);
        auto map = buildOn(
            *device, *input.tensor, matrix,
            {input.tensor->dtype(), static_cast<std::uint32_t>(matrix.columns), static_cast<std::uint32_t>(rows), cell}, progress);
        if (map || map.error().code == ErrorCode::Cancelled || !isOfDevice(map.error().code)) return map;
        return onCpu(input, matrix, progress, map.error());
    }

private:
    static bool isOfDevice(ErrorCode code) {
        return code == ErrorCode::DeviceLost || code == ErrorCode::TooLarge || code == ErrorCode::Internal ||
               code == ErrorCode::Unsupported;
    }

    static Result<stats::TensorMap> buildOn(const DevicePtr& device, const TensorReader& tensor, const stats::Matrix& matrix,
                                            const BandReducer::Shape& shape, const Progress& progress) {
        WB_TRY_ASSIGN(BandReducer reducer, BandReducer::make(device, shape));
        MapAssembler assembler(matrix, shape.cell);
        const std::uint64_t total = tensor.byteCount(matrix.elements());
        for (std::uint64_t row = 0; row < matrix.rows; row += shape.rows) {
            const std::uint64_t rows = std::min<std::uint64_t>(shape.rows, matrix.rows - row);
            const std::uint64_t bytes = tensor.byteCount(rows * matrix.columns);
            WB_TRY(tensor.readRaw(matrix.index(row, 0), rows * matrix.columns, reducer.stored().first(bytes)));
            WB_TRY_ASSIGN(const BandSums sums, reducer.reduce(static_cast<std::uint32_t>(rows), bytes));
            assembler.add(row, rows, sums);
            WB_TRY(progress.at(tensor.byteCount((row + rows) * matrix.columns), total));
        }
        WB_TRY(tensor.checkUnchanged());
        return stats::assembleMap(matrix, std::move(assembler).finish());
    }

    Result<stats::TensorMap> onCpu(const stats::MapInput& input, const stats::Matrix& matrix, const Progress& progress,
                                   const Error& why) {
        WB_TRY_ASSIGN(stats::TensorMap map, m_cpu->build(input, matrix, progress));
        map.note = Problem{Severity::Warning, "gpu.given-up", {}, {}, why.format, why.arguments};
        return map;
    }

    std::function<Result<DevicePtr>()> m_open;
    std::unique_ptr<stats::MapBackend> m_cpu;
};

} // namespace

std::unique_ptr<stats::MapBackend> makeMapBackend(std::function<Result<DevicePtr>()> open) {
    return std::make_unique<GpuMapBackend>(std::move(open));
}

} // namespace wb::gpu
