// SPDX-License-Identifier: MIT
#include "core/formats/quantized/group_recipe.h"

#include <algorithm>
#include <array>

namespace wb::quantized {
namespace {

// Elements of a part of 32-bit words.
Result<void> readWords(const TensorReader& reader, std::uint64_t first, std::span<std::uint32_t> out) {
    return reader.readRaw(first, out.size(), std::as_writable_bytes(out));
}

} // namespace

// Row-major [rows, groups] from `firstGroup` on.
struct GroupRecipe::Scaling {
    std::uint64_t firstGroup = 0;
    std::uint64_t groups = 0;
    std::vector<float> scales;
    std::vector<float> zeros;
    std::vector<std::int32_t> order; // of the window's columns; empty: by position
};

// The group of each column of the window; empty where it follows from the position, as most files write it.
Result<std::vector<std::int32_t>> GroupRecipe::readOrder(std::span<const TensorReader> inputs, const Window& window) const {
    std::vector<std::int32_t> order;
    if (!m_groups.order) return order;
    order.resize(window.columns);
    WB_TRY(inputs[*m_groups.order].readRaw(window.column, window.columns, std::as_writable_bytes(std::span(order))));
    const auto isOutside = [&](std::int32_t g) { return g < 0 || static_cast<std::uint64_t>(g) >= m_groups.count; };
    if (std::ranges::any_of(order, isOutside))
        return fail(ErrorCode::Malformed, Reason("quantized.group_index"), About{part(*m_groups.order).name},
                    WB_TEXT("{} refers to a group without a scale."), part(*m_groups.order).name);
    std::uint64_t column = window.column;
    const bool isPlain =
        std::ranges::all_of(order, [&](std::int32_t g) { return static_cast<std::uint64_t>(g) == column++ / m_groups.size; });
    if (isPlain) order.clear();
    return order;
}

Result<GroupRecipe::Scaling> GroupRecipe::readScaling(std::span<const TensorReader> inputs, const Window& window) const {
    Scaling scaling;
    WB_TRY_ASSIGN(scaling.order, readOrder(inputs, window));
    if (scaling.order.empty()) {
        scaling.firstGroup = window.column / m_groups.size;
        scaling.groups = (window.column + window.columns - 1) / m_groups.size - scaling.firstGroup + 1;
    } else {
        scaling.groups = m_groups.count;
    }
    const std::size_t count = window.rows * scaling.groups;
    scaling.scales.resize(count);
    std::vector<std::byte> scratch;
    // Whole rows are one after the other; a part of a row is one run.
    WB_TRY(inputs[m_groups.scales].readF32(window.row * m_groups.count + scaling.firstGroup, scaling.scales, scratch));
    scaling.zeros.assign(count, static_cast<float>(m_groups.zero));
    if (!m_groups.zeros) return scaling;
    std::vector<std::uint8_t> zeros(count);
    WB_TRY(readZeros(inputs[*m_groups.zeros], {window.row, window.rows, scaling.firstGroup, scaling.groups}, zeros));
    const unsigned mask = (1u << m_bits) - 1;
    std::ranges::transform(zeros, scaling.zeros.begin(),
                           [&](std::uint8_t stored) { return static_cast<float>((stored + m_groups.zeroShift) & mask); });
    return scaling;
}

Result<void> GroupRecipe::readWindow(std::span<const TensorReader> inputs, const Window& window, std::span<float> out) const {
    WB_TRY_ASSIGN(const Scaling scaling, readScaling(inputs, window));
    std::vector<std::uint8_t> codes(out.size());
    WB_TRY(readCodes(inputs[0], window, codes));
    for (std::uint64_t row = 0; row < window.rows; ++row) {
        const float* scales = scaling.scales.data() + row * scaling.groups;
        const float* zeros = scaling.zeros.data() + row * scaling.groups;
        const std::uint8_t* from = codes.data() + row * window.columns;
        float* to = out.data() + row * window.columns;
        if (!scaling.order.empty()) {
            for (std::uint64_t c = 0; c < window.columns; ++c) {
                const auto g = static_cast<std::size_t>(scaling.order[c]);
                to[c] = (static_cast<float>(from[c]) - zeros[g]) * scales[g];
            }
            continue;
        }
        for (std::uint64_t c = 0, g = 0; c < window.columns; ++g) {
            const std::uint64_t end = std::min((scaling.firstGroup + g + 1) * m_groups.size - window.column, window.columns);
            const float scale = scales[g], zero = zeros[g];
            for (; c < end; ++c) to[c] = (static_cast<float>(from[c]) - zero) * scale;
        }
    }
    return {};
}

Result<void> PackedRecipe::readCodes(const TensorReader& codes, const Window& window, std::span<std::uint8_t> out) const {
    const std::uint64_t rowWords = part(0).shape[1];
    const WordRange range = codeWords(m_codes, window.column, window.columns);
    // Whole rows are read at once; part of a row takes its own words only.
    const std::uint64_t stride = window.rows == 1 ? range.count : rowWords;
    std::vector<std::uint32_t> words((window.rows - 1) * stride + range.count);
    WB_TRY(readWords(codes, window.row * rowWords + range.first, words));
    for (std::uint64_t row = 0; row < window.rows; ++row)
        unpack(m_codes, std::span(words).subspan(row * stride, range.count), window.column,
               out.subspan(row * window.columns, window.columns));
    return {};
}

Result<void> PackedRecipe::readZeros(const TensorReader& zeros, const Window& groups, std::span<std::uint8_t> out) const {
    const std::uint64_t width = zeros.shape()[1];
    const WordRange range = codeWords(m_zeros, groups.row, groups.rows);
    std::vector<std::uint32_t> words(range.count * groups.columns);
    for (std::uint64_t w = 0; w < range.count; ++w) {
        if (groups.columns == width) {
            WB_TRY(readWords(zeros, range.first * width, words));
            break;
        }
        WB_TRY(readWords(zeros, (range.first + w) * width + groups.column,
                         std::span(words).subspan(w * groups.columns, groups.columns)));
    }
    std::vector<std::uint32_t> column(range.count);
    std::vector<std::uint8_t> codes(groups.rows);
    for (std::uint64_t g = 0; g < groups.columns; ++g) {
        for (std::uint64_t w = 0; w < range.count; ++w) column[w] = words[w * groups.columns + g];
        unpack(m_zeros, column, groups.row, codes);
        for (std::uint64_t row = 0; row < groups.rows; ++row) out[row * groups.columns + g] = codes[row];
    }
    return {};
}

namespace {

// A rectangle of 4-bit codes from words [out / 8, width].
Result<void> readAwq(const TensorReader& reader, const Window& window, std::span<std::uint8_t> out) {
    static constexpr std::array<unsigned, 8> nibble = {0, 4, 1, 5, 2, 6, 3, 7}; // of the output with this number in its word
    const std::uint64_t width = reader.shape()[1];
    std::vector<std::uint32_t> words(window.columns);
    std::uint64_t loaded = ~std::uint64_t{0};
    for (std::uint64_t row = 0; row < window.rows; ++row) {
        const std::uint64_t output = window.row + row, line = output / 8;
        if (line != loaded) {
            WB_TRY(readWords(reader, line * width + window.column, words));
            loaded = line;
        }
        const unsigned shift = nibble[output % 8] * 4;
        std::uint8_t* to = out.data() + row * window.columns;
        for (std::uint64_t c = 0; c < window.columns; ++c) to[c] = static_cast<std::uint8_t>(words[c] >> shift & 15);
    }
    return {};
}

} // namespace

Result<void> AwqRecipe::readCodes(const TensorReader& codes, const Window& window, std::span<std::uint8_t> out) const {
    return readAwq(codes, window, out);
}

Result<void> AwqRecipe::readZeros(const TensorReader& zeros, const Window& groups, std::span<std::uint8_t> out) const {
    return readAwq(zeros, groups, out);
}

} // namespace wb::quantized
