// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/recipe.h"

namespace wb::convert {

// Elements of another tensor, of whatever form, at fixed distances: those of blocks as F32, their own others type. Rows that are
// together are read together; where a row is scattered, as in a transpose, the whole input is read for each range.
class ViewRecipe final : public Recipe {
public:
    // `first` and `strides` in elements of the input.
    ViewRecipe(std::string input, Dtype dtype, const Shape& shape, std::uint64_t first, std::vector<std::uint64_t> strides)
        : m_inputs{std::move(input)}, m_dtype(dtype), m_shape(shape), m_first(first), m_strides(std::move(strides)) {}

    const std::vector<std::string>& inputs() const override { return m_inputs; }
    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override;
    Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                         std::span<std::byte> out) const override;

private:
    std::uint64_t sourcePosition(std::uint64_t element) const;
    Result<void> gather(const TensorReader& input, std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const;

    std::vector<std::string> m_inputs;
    Dtype m_dtype;
    Shape m_shape;
    std::uint64_t m_first;
    std::vector<std::uint64_t> m_strides;
};

} // namespace wb::convert
