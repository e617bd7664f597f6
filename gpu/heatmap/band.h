// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/dtype.h"
#include "gpu/device/device.h"
#include "gpu/shaders/rectangle_sums.h"

#include <array>
#include <span>
#include <vector>

namespace wb::gpu {

// The three cuts of one band of whole rows.
struct BandSums {
    std::span<const RectangleSums> cells;   // cell x cell, row-major
    std::span<const RectangleSums> rows;    // one row, rowPiece columns, row-major
    std::span<const RectangleSums> columns; // all rows of the band, one column
};
inline constexpr std::uint32_t rowPiece = 256;

// Runs the shaders over bands of a matrix, one after another: uploads stored bytes, decodes and reduces them. One tensor type and
// one width; not thread-safe.
class BandReducer {
public:
    struct Shape {
        Dtype dtype;
        std::uint32_t columns; // of every band
        std::uint32_t rows;    // of a band at most, a multiple of the cell
        std::uint32_t cell;
    };
    static Result<BandReducer> make(DevicePtr device, const Shape& shape);

    // Where the caller puts the stored bytes of the next band.
    std::span<std::byte> stored() const { return m_upload->map<std::byte>(); }

    // The result is valid until the next call.
    Result<BandSums> reduce(std::uint32_t rows, std::uint64_t storedBytes);

private:
    struct Cut {
        std::uint32_t height, width;
    };
    BandReducer() = default;
    Result<void> makeBuffers(std::uint64_t storedBytes);
    static std::uint64_t rectangles(std::uint32_t rows, std::uint32_t columns, const Cut& cut);

    DevicePtr m_device;
    Shape m_shape{};
    BufferPtr m_upload, m_stored, m_tables, m_values;
    std::array<BufferPtr, 3> m_sums, m_readback; // cells, rows, columns
    KernelPtr m_decoder, m_reducer;
};

} // namespace wb::gpu
