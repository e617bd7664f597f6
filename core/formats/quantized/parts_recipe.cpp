// SPDX-License-Identifier: MIT
#include "core/formats/quantized/parts_recipe.h"

#include "core/tensor/decode.h"

#include <algorithm>

namespace wb::quantized {

bool isPlain(Dtype dtype) { return canDecode(dtype) && info(dtype).blockElements == 1; }

PackedPart packedPart(const TensorInfo& tensor) { return {tensor.name, tensor.dtype, tensor.shape, false}; }

PackedPart transposedPackedPart(const TensorInfo& matrix) {
    return {matrix.name, matrix.dtype, *Shape::make({matrix.shape[1], matrix.shape[0]}), true};
}

PartsRecipe::PartsRecipe(std::string scheme, Shape shape, std::vector<PackedPart> read, const std::vector<std::string>& others)
    : m_scheme(std::move(scheme)), m_shape(std::move(shape)), m_read(std::move(read)) {
    for (const PackedPart& part : m_read) m_inputs.push_back(part.name);
    m_parts = m_inputs;
    m_parts.insert(m_parts.end(), others.begin(), others.end());
}

// The parts were looked at when the recipe was made, so this fails only where two tensors of the model have one name.
Result<void> PartsRecipe::check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const {
    const bool same = dtype == Dtype::F32 && shape == m_shape && inputs.size() == m_read.size() &&
                      std::ranges::equal(inputs, m_read, [](const TensorReader& input, const PackedPart& part) {
                          return input.dtype() == part.dtype && input.shape() == part.shape;
                      });
    if (same) return {};
    return fail(ErrorCode::Malformed, Reason("quantized.parts_changed"), About{m_inputs.front()},
                WB_TEXT("The components of the weight that {} belongs to changed since the model was opened."), m_inputs.front());
}

// A range of elements is the rest of a row, whole rows, and the beginning of a row.
Result<void> WindowRecipe::readF32(std::span<const TensorReader> inputs, std::uint64_t first, std::span<float> out) const {
    const std::uint64_t width = shape().rowLength();
    while (!out.empty()) {
        const std::uint64_t column = first % width;
        const bool isWhole = column == 0 && out.size() >= width;
        const std::uint64_t rows = isWhole ? out.size() / width : 1;
        const std::uint64_t columns = isWhole ? width : std::min<std::uint64_t>(width - column, out.size());
        WB_TRY(readWindow(inputs, {first / width, rows, column, columns}, out.first(rows * columns)));
        out = out.subspan(rows * columns);
        first += rows * columns;
    }
    return {};
}

} // namespace wb::quantized
