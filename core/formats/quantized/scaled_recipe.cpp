// SPDX-License-Identifier: MIT
#include "core/formats/quantized/scaled_recipe.h"

#include "core/tensor/decode.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <cmath>

namespace wb::quantized {
namespace {

std::array<std::uint64_t, 3> asStack(const Shape& shape) {
    const std::size_t rank = shape.rank();
    std::array<std::uint64_t, 3> stack{1, 1, 1};
    for (std::size_t i = 0; i < rank; ++i) {
        if (i + 2 < rank) stack[0] *= shape[i];
        else stack[i + 3 - rank] = shape[i];
    }
    return stack;
}

std::uint64_t blocksFromSide(std::uint64_t side, std::uint64_t block) { return side / block + (side % block != 0); }

// The side of the blocks that divides `side` elements among `count` scales: all, one each, the named one, or else a power of two,
// which a scale of a group always covers; empty if none exists.
std::optional<std::uint64_t> blockSide(std::uint64_t side, std::uint64_t count, std::uint64_t named) {
    if (count == 1) return side;
    if (count == side) return 1;
    if (named != 0 && blocksFromSide(side, named) == count) return named;
    for (std::uint64_t power = 2; power < side; power *= 2)
        if (blocksFromSide(side, power) == count) return power;
    if (count != 0 && side % count == 0) return side / count;
    return std::nullopt;
}

float exponentScale(std::uint8_t code) { return code == 0xFF ? quietNan(false) : std::ldexp(1.0f, static_cast<int>(code) - 127); }

} // namespace

std::optional<ScaleGrid> findScaleGrid(const Shape& weight, const Shape& scales, std::span<const std::uint64_t> block) {
    if (weight.rank() == 0 || weight.elements() == 0) return std::nullopt;
    ScaleGrid grid;
    grid.weight = asStack(weight);
    // A list of as many scales as rows has one a row, whatever the rank of the weight.
    const bool isPerRow = scales.rank() == 1 && scales[0] != 1 && scales[0] == grid.weight[1];
    if (scales.elements() != 1 && !isPerRow && scales.rank() != weight.rank()) return std::nullopt;
    grid.scales = isPerRow ? std::array<std::uint64_t, 3>{1, scales[0], 1} : asStack(scales);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool isNamed = axis > 0 && block.size() == 2;
        const auto side = blockSide(grid.weight[axis], grid.scales[axis], isNamed ? block[axis - 1] : 0);
        if (!side) return std::nullopt;
        grid.block[axis] = *side;
    }
    // One matrix of scales for several of weights is read whole where a window reaches from one to the next.
    constexpr std::uint64_t most = 1 << 20;
    if (grid.scales[0] != grid.weight[0] && grid.scales[1] * grid.scales[2] > most) return std::nullopt;
    return grid;
}

std::optional<ScaleKind> scaleKind(Dtype dtype) {
    switch (dtype) {
    case Dtype::U8: return ScaleKind::Exponent;
    case Dtype::F32:
    case Dtype::F16:
    case Dtype::BF16:
    case Dtype::F64:
    case Dtype::F8_E4M3:
    case Dtype::F8_E8M0: return ScaleKind::Factor;
    default: return std::nullopt;
    }
}

Result<void> readScales(const TensorReader& scales, ScaleKind kind, std::uint64_t first, std::span<float> out) {
    std::vector<std::byte> bytes;
    if (kind == ScaleKind::Factor) return scales.readF32(first, out, bytes);
    bytes.resize(out.size());
    WB_TRY(scales.readRaw(first, out.size(), bytes));
    std::ranges::transform(bytes, out.begin(), [](std::byte code) { return exponentScale(static_cast<std::uint8_t>(code)); });
    return {};
}

std::uint64_t ScaleGrid::index(std::uint64_t row, std::uint64_t column) const {
    const std::uint64_t batch = row / weight[1] / block[0], line = row % weight[1] / block[1];
    return (batch * scales[1] + line) * scales[2] + column / block[2];
}

Result<void> ScaledRecipe::readWindow(std::span<const TensorReader> inputs, const Window& window, std::span<float> out) const {
    std::vector<std::byte> scratch;
    WB_TRY(inputs[0].readF32(window.row * shape().rowLength() + window.column, out, scratch));
    const std::uint64_t lastColumn = window.column + window.columns - 1;
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    for (std::uint64_t row = window.row; row < window.row + window.rows; ++row) {
        first = std::min(first, m_grid.index(row, window.column));
        last = std::max(last, m_grid.index(row, lastColumn));
    }
    std::vector<float> scales(last - first + 1), zeros(scales.size());
    WB_TRY(readScales(inputs[1], *scaleKind(part(1).dtype), first, scales));
    if (m_hasZeros) WB_TRY(inputs[2].readF32(first, zeros, scratch));
    const std::uint64_t side = m_grid.block[2];
    for (std::uint64_t row = 0; row < window.rows; ++row) {
        float* values = out.data() + row * window.columns;
        std::uint64_t at = m_grid.index(window.row + row, window.column) - first;
        for (std::uint64_t c = 0; c < window.columns; ++at) {
            const std::uint64_t end = std::min(((window.column + c) / side + 1) * side - window.column, window.columns);
            const float scale = scales[at], zero = zeros[at];
            for (; c < end; ++c) values[c] = (values[c] - zero) * scale * m_factor;
        }
    }
    return {};
}

Result<void> Fp4Recipe::readWindow(std::span<const TensorReader> inputs, const Window& window, std::span<float> out) const {
    const std::uint64_t width = shape().rowLength();
    std::vector<std::byte> scratch;
    float global = 1;
    if (m_global != Global::None) WB_TRY(inputs[2].readF32(0, {&global, 1}, scratch));
    // Codes are read from an even element on.
    const std::uint64_t first = window.row * width + window.column, even = first - first % 2;
    std::vector<std::byte> bytes((first + out.size() + 1) / 2 - even / 2);
    WB_TRY(inputs[0].readRaw(even / 2, bytes.size(), bytes));
    std::vector<float> values(bytes.size() * 2);
    decode(Dtype::F4, bytes, values);
    const std::uint64_t firstGroup = first / m_group;
    std::vector<float> scales((first + out.size() - 1) / m_group - firstGroup + 1);
    WB_TRY(readScales(inputs[1], *scaleKind(part(1).dtype), firstGroup, scales));
    for (float& scale : scales) scale = m_global == Global::Divides ? scale / global : scale * global;
    const float* from = values.data() + first % 2;
    for (std::size_t i = 0, group = 0; i < out.size(); ++group) {
        const std::size_t end = std::min<std::uint64_t>((firstGroup + group + 1) * m_group - first, out.size());
        for (; i < end; ++i) out[i] = from[i] * scales[group];
    }
    return {};
}

std::optional<Fp4Layout> fp4Layout(const Recipe& recipe) {
    const auto* const fp4 = dynamic_cast<const Fp4Recipe*>(&recipe);
    return fp4 ? std::optional(fp4->layout()) : std::nullopt;
}

} // namespace wb::quantized
