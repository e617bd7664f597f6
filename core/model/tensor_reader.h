// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <span>

namespace wb {

struct OpenPath;
class ElementAccess;

// The one way to the elements of a tensor, whatever the form of its source: statistics, difference, quantizer, converter and views
// read through it. Addressed by flat row-major element ranges; both ends must fall on block edges (DtypeInfo::blockElements).
// Thread-safe: one reader may serve many workers, and its copies share what it opened. The memory it takes does not depend on the
// size of the tensor: none for stored tensors and pieces, at most 32 MiB for strided ones, some hundred KiB for a recipe.
class TensorReader {
public:
    // Opens the files of the tensor's source and checks the source against them, the shape and the dtype, so that no later read can
    // leave a file. Fails where the tensor is unavailable, its file changed, its type is Unknown, or its source breaks a rule.
    static Result<TensorReader> open(const Model& model, const TensorInfo& tensor);

    Dtype dtype() const { return m_dtype; }
    const Shape& shape() const { return m_shape; }
    std::uint64_t elements() const { return m_shape.elements(); }

    // Raw bytes of `count` elements, a multiple of the block.
    std::uint64_t byteCount(std::uint64_t count) const;

    // Fills `out` (byteCount(count) bytes) with raw blocks in little-endian order, whatever the file's order is.
    Result<void> readRaw(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const;

    // Decodes out.size() elements from `first` to f32. `scratch` is resized to hold the raw bytes and may be reused.
    // Unsupported for complex types.
    Result<void> readF32(std::uint64_t first, std::span<float> out, std::vector<std::byte>& scratch) const;

    // The same tensor, each part of which is read from its files once: the values stay in memory until the last copy of the new
    // reader is destroyed. A tensor of more than `limit` raw bytes is read from its files each time, as by this reader.
    TensorReader keeping(std::uint64_t limit) const;

    // Changed if a file after the tensor differs from the opened one.
    Result<void> checkUnchanged() const;

private:
    friend Result<std::shared_ptr<const ElementAccess>> openRecipe(const Model& model, const TensorInfo& tensor, OpenPath& path);

    TensorReader() = default;
    static Result<TensorReader> open(const Model& model, const TensorInfo& tensor, OpenPath& path);
    static Result<TensorReader> openStored(const Model& model, const TensorInfo& tensor, const std::string& file);

    std::string m_name; // for messages: the file of a stored tensor, else the tensor
    Dtype m_dtype = Dtype::Unknown;
    Shape m_shape;
    std::shared_ptr<io::ByteSource> m_source; // of a stored tensor, which is read without further calls …
    io::Extent m_extent;
    std::shared_ptr<const ElementAccess> m_access; // … every other form
    bool m_bigEndian = false;
};

// Reverses the bytes of every multi-byte field (elements, or scales inside blocks) of whole blocks in place.
void swapBlockBytes(Dtype dtype, std::span<std::byte> blocks);

} // namespace wb
