// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/recipe.h"

#include <array>

namespace wb::peft {

// scale · L · R in f32, L [rows, r] and R [r, columns] the inputs. Of an embedding both are stored transposed.
class DeltaRecipe final : public F32Recipe {
public:
    static constexpr std::uint64_t maxRank = 1024;

    // The names of L and R as stored; rank is at most maxRank.
    DeltaRecipe(std::string left, std::string right, bool areTransposed, const Shape& shape, std::uint64_t rank, double scale)
        : m_inputs{std::move(left), std::move(right)}, m_areTransposed(areTransposed), m_shape(shape), m_rank(rank),
          m_scale(scale) {}

    const std::vector<std::string>& inputs() const override { return m_inputs; }
    bool isTransposed(std::size_t) const override { return m_areTransposed; }
    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override;
    Result<void> readF32(std::span<const TensorReader> inputs, std::uint64_t first, std::span<float> out) const override;

    bool areTransposed() const { return m_areTransposed; }
    std::uint64_t rank() const { return m_rank; }
    double scale() const { return m_scale; }

private:
    std::vector<std::string> m_inputs;
    bool m_areTransposed;
    Shape m_shape;
    std::uint64_t m_rank;
    double m_scale;
};

} // namespace wb::peft
