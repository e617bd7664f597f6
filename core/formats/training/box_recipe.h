// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/recipe.h"
#include "core/worker/model_wire.h"

#include <memory>

namespace wb::training {

// A tensor that the recipe reads, as it was when the recipe was made.
struct BoxInput {
    std::string name;
    Shape shape;
};

// A box of an input that is a box of the tensor. Coordinates and sizes have one number for each axis.
struct Box {
    std::uint32_t input = 0;
    std::vector<std::uint64_t> from; // in the input
    std::vector<std::uint64_t> to;   // in the tensor
    std::vector<std::uint64_t> sizes;
};

// Puts a tensor together from boxes of others of its type: columns that ranks share, halves of fused projections. Boxes whose rows
// are as long as the tensor's are better as TensorSource::pieces, which are read without a recipe.
class BoxRecipe final : public Recipe {
public:
    static constexpr std::size_t maxBoxes = 4096;

    // Malformed where a box leaves its input or the tensor, where the volumes do not add up, or beyond maxBoxes; Unsupported for
    // types whose elements are not whole bytes. Boxes that overlap are found when the values are read.
    static Result<std::shared_ptr<const BoxRecipe>> make(Dtype dtype, const Shape& shape, std::vector<BoxInput> inputs,
                                                         std::vector<Box> boxes);

    const std::vector<std::string>& inputs() const override { return m_names; }
    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override;
    Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                         std::span<std::byte> out) const override;

private:
    friend worker::RecipeWire boxRecipeWire();
    struct Reading;

    BoxRecipe() = default;
    Result<std::uint64_t> readGroup(Reading& reading, std::uint64_t group) const;
    Result<std::uint64_t> readBox(Reading& reading, const Box& box, std::uint64_t group,
                                  std::span<const std::uint64_t> coordinates) const;

    Dtype m_dtype = Dtype::Unknown;
    Shape m_shape;                           // as declared
    std::vector<std::uint64_t> m_dimensions; // at least two: axes of one element in front
    std::vector<BoxInput> m_inputs;
    std::vector<Box> m_boxes;
    std::vector<std::vector<std::uint64_t>> m_inputDimensions; // like m_dimensions
    std::vector<std::string> m_names;
    std::uint64_t m_elementBytes = 0;
};

// How these leave the worker.
worker::RecipeWire boxRecipeWire();

} // namespace wb::training
