// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/tensor_reader.h"

#include <span>
#include <string>
#include <vector>

namespace wb {

// How a tensor is computed from other tensors of its model: dequantized from packed codes and scales, summed, cast. A recipe has no
// values and no files, only names and numbers; TensorReader opens its inputs and calls it slab by slab. All functions are
// thread-safe.
class Recipe {
public:
    // No call asks for more elements, so that a recipe can bound its buffers by it. A multiple of every block.
    static constexpr std::uint64_t maxElements = 65'536;

    virtual ~Recipe() = default;

    // The names of the tensors it reads, in the order in which the functions below get their readers. They may have any form,
    // recipes too; one that leads back to the tensor itself is refused when the tensor is opened.
    virtual const std::vector<std::string>& inputs() const = 0;

    // Whether input `index`, a stored matrix, is read column by column: its reader is then that of the transposed matrix.
    virtual bool isTransposed(std::size_t /*index*/) const { return false; }

    // Whether these inputs (their dtypes and shapes) can yield a tensor of this dtype and shape; one sentence where not.
    virtual Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const = 0;

    // Fills `out` with `count` elements from the flat index `first`, as whole little-endian blocks of the tensor's dtype.
    virtual Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                                 std::span<std::byte> out) const = 0;
};

// A recipe whose tensor has the dtype F32.
class F32Recipe : public Recipe {
public:
    // Fills `out` with the elements from the flat index `first`.
    virtual Result<void> readF32(std::span<const TensorReader> inputs, std::uint64_t first, std::span<float> out) const = 0;

    Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                         std::span<std::byte> out) const final;
};

} // namespace wb
