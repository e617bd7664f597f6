// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/dtype.h"
#include "gpu/device/host_upload.h"
#include "gpu/shaders/rectangle_sums.h"

#include <array>
#include <optional>
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

// Runs the shaders over bands of a matrix, one at a time: decodes and reduces stored bytes. Two of them by turns keep the device
// busy while the host reads. One tensor type and one width; not thread-safe.
class BandReducer {
public:
    struct Shape {
        Dtype dtype;
        std::uint32_t columns; // of every band
        std::uint32_t rows;    // of a band at most, a multiple of the cell
        std::uint32_t cell;
    };
    static Result<BandReducer> make(DevicePtr device, const Shape& shape);

    // Where the caller puts the stored bytes of the next band, after finish().
    std::span<std::byte> stored() const { return m_stored.map(); }

    // Starts with the band that was put there; returns at once.
    Result<void> start(std::uint32_t rows, std::uint64_t storedBytes);

    // Blocks until it is done. Empty where none was begun. The sums are valid until the next start().
    Result<std::optional<BandSums>> finish();

private:
    struct Cut {
        std::uint32_t height, width;
    };
    BandReducer() = default;
    Result<void> makeBuffers(std::uint64_t storedBytes);
    static std::uint64_t rectangles(std::uint32_t rows, std::uint32_t columns, const Cut& cut);

    DevicePtr m_device;
    Shape m_shape{};
    HostUpload m_stored;
    BufferPtr m_tables, m_values;
    std::array<BufferPtr, 3> m_sums, m_readback; // cells, rows, columns
    KernelPtr m_decoder, m_reducer;
    std::optional<Ticket> m_busy;
    BandSums m_result;
};

} // namespace wb::gpu
