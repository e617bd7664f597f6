// SPDX-License-Identifier: MIT
#include "core/formats/peft/delta_recipe.h"

#include <algorithm>

namespace wb::peft {

Result<void> DeltaRecipe::check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const {
    const auto isMatrix = [&](const TensorReader& input, std::uint64_t rows, std::uint64_t columns) {
        return input.shape().rank() == 2 && input.shape()[0] == rows && input.shape()[1] == columns;
    };
    if (dtype == Dtype::F32 && shape == m_shape && isMatrix(inputs[0], m_shape[0], m_rank) &&
        isMatrix(inputs[1], m_rank, m_shape[1]))
        return {};
    return fail(ErrorCode::Malformed, Reason("peft.factors_changed"), About{m_inputs[0]},
                WB_TEXT("{} and {} changed since the adapter was opened."), m_inputs[0], m_inputs[1]);
}

// Row by row and, in a row, by stretches of columns, so that the part of R in memory stays small whatever its width is.
Result<void> DeltaRecipe::readF32(std::span<const TensorReader> inputs, std::uint64_t first, std::span<float> out) const {
    if (out.empty()) return {};
    const std::uint64_t width = m_shape[1];
    const std::uint64_t stretch = std::max<std::uint64_t>(1, std::min(width, Recipe::maxElements / m_rank));
    std::vector<std::byte> scratch;
    std::vector<float> right, left;
    // The stretch is the outer loop: each is read once for all rows of the range.
    const std::uint64_t end = first + out.size();
    const std::uint64_t firstRow = first / width, lastRow = (end - 1) / width;
    left.resize((lastRow - firstRow + 1) * m_rank);
    if (left.size() > Recipe::maxElements) {
        // Narrow matrices of many rows: halves until the factor fits, which that of one row does.
        const std::size_t half = out.size() / 2;
        WB_TRY(readF32(inputs, first, out.first(half)));
        return readF32(inputs, first + half, out.subspan(half));
    }
    WB_TRY(inputs[0].readF32(firstRow * m_rank, left, scratch));
    for (std::uint64_t column = 0; column < width; column += stretch) {
        const std::uint64_t columns = std::min(stretch, width - column);
        // Of a range inside one row only the stretches it touches are needed.
        if (firstRow == lastRow && (column + columns <= first % width || column > (end - 1) % width)) continue;
        right.resize(m_rank * columns);
        for (std::uint64_t k = 0; k < m_rank; ++k)
            WB_TRY(inputs[1].readF32(k * width + column, std::span(right).subspan(k * columns, columns), scratch));
        for (std::uint64_t row = firstRow; row <= lastRow; ++row) {
            const std::uint64_t begin = std::max(first, row * width + column), stop = std::min(end, row * width + column + columns);
            const float* l = left.data() + (row - firstRow) * m_rank;
            for (std::uint64_t at = begin; at < stop; ++at) {
                double sum = 0;
                const float* r = right.data() + (at - row * width - column);
                for (std::uint64_t k = 0; k < m_rank; ++k) sum += static_cast<double>(l[k]) * static_cast<double>(r[k * columns]);
                out[at - first] = static_cast<float>(sum * m_scale);
            }
        }
    }
    return {};
}

} // namespace wb::peft
