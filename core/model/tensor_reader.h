// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <span>

namespace wb {

// The one door to the bytes of a tensor, for statistics, diff, quantizer, converter and views. Addressed by flat row-major element
// ranges; both ends must fall on block edges (DtypeInfo::blockElements). Thread-safe: one reader may serve many workers.
class TensorReader {
public:
    // Fails where the tensor is unavailable, its file changed, or its type is Unknown.
    static Result<TensorReader> open(const Model& model, const TensorInfo& tensor);

    Dtype dtype() const { return m_dtype; }
    const Shape& shape() const { return m_shape; }
    std::uint64_t elements() const { return m_shape.elements(); }

    // Stored bytes of `count` elements from `first`; both multiples of the block.
    std::uint64_t byteCount(std::uint64_t count) const;

    // Fills `out` (byteCount(count) bytes) with raw blocks in little-endian order, whatever the file's order is.
    Result<void> readRaw(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const;

    // Decodes out.size() elements from `first` to f32. `scratch` is resized to hold the raw bytes and may be reused.
    // Unsupported for complex types.
    Result<void> readF32(std::uint64_t first, std::span<float> out, std::vector<std::byte>& scratch) const;

    Result<void> checkUnchanged() const { return m_source->checkUnchanged(); }

private:
    TensorReader() = default;

    std::shared_ptr<io::ByteSource> m_source;
    Dtype m_dtype = Dtype::Unknown;
    Shape m_shape;
    io::Extent m_extent;
    bool m_bigEndian = false;
};

// Reverses the bytes of every multi-byte field (elements, or scales inside blocks) of whole blocks in place.
void swapBlockBytes(Dtype dtype, std::span<std::byte> blocks);

} // namespace wb
