// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/recipe.h"

// Inside the room: what the recipes of all schemes have in common.
namespace wb::quantized {

// A tensor that a recipe reads, in the form in which it gets it.
struct PackedPart {
    std::string name;
    Dtype dtype = Dtype::Unknown;
    Shape shape; // of a transposed part that of the transposed matrix
    bool isTransposed = false;
};

// Whether any range of elements of this type can be read as floats: no blocks, no complex numbers.
bool isPlain(Dtype dtype);

// The part as stored, or read column by column (matrices only).
PackedPart packedPart(const TensorInfo& tensor);
PackedPart transposedPackedPart(const TensorInfo& matrix);

// A rectangle of a matrix, either inside one row or of whole rows.
struct Window {
    std::uint64_t row = 0;
    std::uint64_t rows = 0;
    std::uint64_t column = 0;
    std::uint64_t columns = 0;
};

// A weight of `shape` computed from `read`; `others` are tensors that belong to it but are not needed for its values.
class PartsRecipe : public F32Recipe {
public:
    PartsRecipe(std::string scheme, Shape shape, std::vector<PackedPart> read, const std::vector<std::string>& others);

    const std::vector<std::string>& inputs() const override { return m_inputs; }
    bool isTransposed(std::size_t index) const override { return m_read[index].isTransposed; }
    const std::string& scheme() const { return m_scheme; }
    const std::vector<std::string>& parts() const { return m_parts; } // the inputs, and such as belong to it without being read
    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override;

protected:
    const Shape& shape() const { return m_shape; }
    const PackedPart& part(std::size_t index) const { return m_read[index]; }

private:
    std::string m_scheme;
    Shape m_shape;
    std::vector<PackedPart> m_read;
    std::vector<std::string> m_inputs;
    std::vector<std::string> m_parts;
};

// One that computes rectangles of the weight seen as a matrix of rows.
class WindowRecipe : public PartsRecipe {
public:
    using PartsRecipe::PartsRecipe;

    Result<void> readF32(std::span<const TensorReader> inputs, std::uint64_t first, std::span<float> out) const final;

protected:
    // `out` has the window's elements, row by row; a window has at most maxElements of them.
    virtual Result<void> readWindow(std::span<const TensorReader> inputs, const Window& window, std::span<float> out) const = 0;
};

} // namespace wb::quantized
