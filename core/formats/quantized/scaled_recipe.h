// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/quantized/parts_recipe.h"
#include "core/formats/quantized/quantized.h"

#include <array>
#include <optional>

namespace wb::quantized {

// A weight as a stack of matrices, and its scales as a coarser one: element (b, r, c) has the scale (b / block[0], r / block[1],
// c / block[2]).
struct ScaleGrid {
    std::array<std::uint64_t, 3> weight{1, 1, 1};
    std::array<std::uint64_t, 3> scales{1, 1, 1};
    std::array<std::uint64_t, 3> block{1, 1, 1};

    bool isWhole() const { return scales == std::array<std::uint64_t, 3>{1, 1, 1}; }
    // The scale of the element in this column of this row, the rows of all matrices counted through.
    std::uint64_t index(std::uint64_t row, std::uint64_t column) const;
};

// How scales of this shape lie over a weight of this shape: one for all, one a row, or a grid of blocks. `block` are the sides that
// the configuration names, innermost last; else they follow from the shapes. Empty where the shapes do not fit each other.
std::optional<ScaleGrid> findScaleGrid(const Shape& weight, const Shape& scales, std::span<const std::uint64_t> block);

// The meaning of a number in the scales.
enum class ScaleKind : std::uint8_t { Factor, Exponent /* U8: 2^(s-127) */ };

// Whether a tensor of this type can be read as scales, and how.
std::optional<ScaleKind> scaleKind(Dtype dtype);

// The scales of one row of the grid, as factors.
Result<void> readScales(const TensorReader& scales, ScaleKind kind, std::uint64_t first, std::span<float> out);

// W = (w - z) · s · factor, of elements that have their own type: FP8, INT8.
class ScaledRecipe final : public WindowRecipe {
public:
    // Parts: the weight, its scales, and where `hasZeros` is set zero points of the scales' shape.
    ScaledRecipe(std::string scheme, Shape shape, std::vector<PackedPart> read, const std::vector<std::string>& others,
                 ScaleGrid grid, bool hasZeros, float factor)
        : WindowRecipe(std::move(scheme), std::move(shape), std::move(read), others), m_grid(grid), m_hasZeros(hasZeros),
          m_factor(factor) {}

protected:
    Result<void> readWindow(std::span<const TensorReader> inputs, const Window& window, std::span<float> out) const override;

private:
    ScaleGrid m_grid;
    bool m_hasZeros;
    float m_factor;
};

// W = E2M1(q) · s[r, c / group] · (global or 1 / global), two codes a byte, low nibble first: MXFP4 and NVFP4. Parts: U8
// [.., columns / 2] (or [.., groups, group / 2]), the scales [.., groups], and a global scale of one element.
class Fp4Recipe final : public WindowRecipe {
public:
    using Global = Fp4Layout::Global;

    Fp4Recipe(std::string scheme, Shape shape, std::vector<PackedPart> read, const std::vector<std::string>& others,
              std::uint64_t group, Global global)
        : WindowRecipe(std::move(scheme), std::move(shape), std::move(read), others), m_group(group), m_global(global) {}

    Fp4Layout layout() const { return {m_group, m_global}; }

protected:
    Result<void> readWindow(std::span<const TensorReader> inputs, const Window& window, std::span<float> out) const override;

private:
    std::uint64_t m_group; // even
    Global m_global;
};

} // namespace wb::quantized
