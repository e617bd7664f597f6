// SPDX-License-Identifier: MIT
#include "core/convert/gguf/view_recipe.h"

#include <algorithm>
#include <cstring>

namespace wb::convert {
namespace {

// Elements in the order of the view.
Result<void> read(const TensorReader& input, Dtype dtype, std::uint64_t first, std::uint64_t count, std::span<std::byte> out) {
    if (input.dtype() == dtype) return input.readRaw(first, count, out);
    const std::uint64_t block = info(input.dtype()).blockElements;
    const std::uint64_t begin = first / block * block, end = (first + count + block - 1) / block * block;
    std::vector<float> values(end - begin);
    std::vector<std::byte> scratch;
    WB_TRY(input.readF32(begin, values, scratch));
    std::memcpy(out.data(), &values[first - begin], count * sizeof(float));
    return {};
}

} // namespace

// The last element tells whether all of them are inside.
Result<void> ViewRecipe::check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const {
    const bool isOwn = inputs[0].dtype() == dtype || (dtype == Dtype::F32 && info(inputs[0].dtype()).kind == DtypeKind::Block);
    std::uint64_t last = m_first;
    for (std::size_t axis = 0; axis < std::min(m_strides.size(), shape.rank()); ++axis)
        last += shape[axis] == 0 ? 0 : (shape[axis] - 1) * m_strides[axis];
    if (isOwn && dtype == m_dtype && shape == m_shape && m_strides.size() == shape.rank() &&
        (shape.elements() == 0 || last < inputs[0].elements()))
        return {};
    return fail(ErrorCode::Malformed, Reason("convert.view_input"), About{m_inputs[0]},
                WB_TEXT("{} changed since the file was opened."), m_inputs[0]);
}

std::uint64_t ViewRecipe::sourcePosition(std::uint64_t element) const {
    std::uint64_t place = m_first;
    for (std::size_t axis = m_strides.size(); axis-- > 0; element /= m_shape[axis])
        place += element % m_shape[axis] * m_strides[axis];
    return place;
}

Result<void> ViewRecipe::readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                                 std::span<std::byte> out) const {
    if (!m_strides.empty() && m_strides.back() != 1) return gather(inputs[0], first, count, out);
    const std::uint64_t row = m_shape.rowLength(), size = info(m_dtype).blockBytes;
    for (std::uint64_t done = 0; done < count;) {
        const std::uint64_t at = first + done, run = std::min(row - at % row, count - done);
        WB_TRY(read(inputs[0], m_dtype, sourcePosition(at), run, out.subspan(done * size, run * size)));
        done += run;
    }
    return {};
}

Result<void> ViewRecipe::gather(const TensorReader& input, std::uint64_t first, std::uint64_t count,
                                std::span<std::byte> out) const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> places; // in the input, and in the range
    places.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) places.emplace_back(sourcePosition(first + i), i);
    std::ranges::sort(places);
    constexpr std::uint64_t slab = 1 << 16; // a multiple of every block
    const std::uint64_t size = info(m_dtype).blockBytes;
    std::vector<std::byte> values;
    for (auto place = places.begin(); place != places.end();) {
        const std::uint64_t begin = place->first / slab * slab, length = std::min(slab, input.elements() - begin);
        values.resize(length * size);
        WB_TRY(read(input, m_dtype, begin, length, values));
        for (; place != places.end() && place->first < begin + length; ++place)
            std::memcpy(&out[place->second * size], &values[(place->first - begin) * size], size);
    }
    return {};
}

} // namespace wb::convert
