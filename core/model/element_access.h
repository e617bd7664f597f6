// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/tensor_reader.h"

// Inside the room: how TensorReader reads a source that is not one extent.
namespace wb {

// Reads elements of one opened source. Thread-safe; ranges are inside the tensor and consist of whole blocks.
class ElementAccess {
public:
    virtual ~ElementAccess() = default;
    virtual Result<void> readRaw(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const = 0;
    virtual Result<void> checkUnchanged() const = 0;
};

using ElementAccessPtr = std::shared_ptr<const ElementAccess>;

// The tensors that are being opened, each an input of the one before it; and how many readers that took so far.
struct OpenPath {
    std::vector<const TensorInfo*> tensors;
    std::size_t readers = 0;
};

Result<ElementAccessPtr> openPieces(const Model& model, const TensorInfo& tensor);
Result<ElementAccessPtr> openStrided(const Model& model, const TensorInfo& tensor);
// The elements of I4, U4, I2 and U2 that the file packs, lowest bits first: the code of each in a byte.
ElementAccessPtr openPacked(std::shared_ptr<io::ByteSource> source, io::Extent extent, Dtype dtype, std::uint64_t elements);

// Elements of a reader that stay in memory once they were read, as TensorReader::keeping() says.
ElementAccessPtr openKept(TensorReader reader);

Result<ElementAccessPtr> openRecipe(const Model& model, const TensorInfo& tensor, OpenPath& path);

} // namespace wb
