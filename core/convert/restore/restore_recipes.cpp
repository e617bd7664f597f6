// SPDX-License-Identifier: MIT
#include "core/convert/restore/restore_recipes.h"

#include "core/tensor/half.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace wb::convert {
namespace {

std::unexpected<Error> changed(const std::string& name) {
    return fail(ErrorCode::Malformed, Reason("convert.restored_input"), About{name},
                WB_TEXT("{} changed since the file was opened."), name);
}

bool isWritten(Dtype dtype) { return dtype == Dtype::F32 || dtype == Dtype::F16 || dtype == Dtype::BF16; }

void store(std::span<const float> values, Dtype dtype, std::span<std::byte> out) {
    if (dtype == Dtype::F32) {
        std::memcpy(out.data(), values.data(), values.size_bytes());
        return;
    }
    for (std::size_t i = 0; i < values.size(); ++i)
        wb::store(&out[2 * i], dtype == Dtype::F16 ? f32ToF16(values[i]) : f32ToBf16(values[i]));
}

} // namespace

Result<void> RestoredRows::check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const {
    const bool isCopy = inputs[0].dtype() == dtype && dtype == m_dtype && m_subtrahend == 0;
    const std::uint64_t rows = shape.rank() == 1 ? shape[0] : shape.rows();
    const bool fits = m_heads == 0 || (rows % m_heads == 0 && rows / m_heads % 2 == 0);
    return inputs[0].shape() == shape && fits && dtype == m_dtype && (isCopy || isWritten(dtype)) ? Result<void>()
                                                                                                  : changed(m_inputs[0]);
}

// Rows of a head are in adjacent pairs; they were in halves.
std::uint64_t RestoredRows::rowBefore(std::uint64_t row, std::uint64_t rows) const {
    if (m_heads == 0) return row;
    const std::uint64_t head = rows / m_heads, within = row % head;
    return row - within + within % (head / 2) * 2 + within / (head / 2);
}

Result<void> RestoredRows::readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                                   std::span<std::byte> out) const {
    const TensorReader& input = inputs[0];
    const bool isVector = input.shape().rank() <= 1;
    const std::uint64_t row = isVector ? 1 : std::max<std::uint64_t>(input.shape().rowLength(), 1), rows = input.elements() / row;
    const bool isCopy = input.dtype() == m_dtype && m_subtrahend == 0;
    std::vector<float> values(isCopy ? 0 : count);
    std::vector<std::byte> scratch;
    for (std::uint64_t done = 0; done < count;) {
        const std::uint64_t at = first + done, within = at % row;
        const std::uint64_t run = m_heads == 0 ? count : std::min(row - within, count - done);
        const std::uint64_t from = m_heads == 0 ? at : rowBefore(at / row, rows) * row + within;
        if (isCopy) WB_TRY(input.readRaw(from, run, out.subspan(input.byteCount(done), input.byteCount(run))));
        else WB_TRY(input.readF32(from, std::span(values).subspan(done, run), scratch));
        done += run;
    }
    if (isCopy) return {};
    for (float& value : values) value -= m_subtrahend;
    store(values, m_dtype, out);
    return {};
}

Result<void> KnownValues::check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const {
    const bool fits =
        isWritten(dtype) && dtype == m_dtype && shape.elements() == m_values.size() && inputs[0].elements() == m_values.size();
    return fits ? Result<void>() : changed(m_inputs[0]);
}

Result<void> KnownValues::readRaw(std::span<const TensorReader>, std::uint64_t first, std::uint64_t count,
                                  std::span<std::byte> out) const {
    store(std::span(m_values).subspan(first, count), m_dtype, out);
    return {};
}

Result<void> KnownNumbers::check(std::span<const TensorReader>, Dtype dtype, const Shape& shape) const {
    return dtype == Dtype::I64 && shape.elements() == m_numbers.size() ? Result<void>() : changed(m_inputs[0]);
}

Result<void> KnownNumbers::readRaw(std::span<const TensorReader>, std::uint64_t first, std::uint64_t count,
                                   std::span<std::byte> out) const {
    const auto bytes = std::as_bytes(std::span(m_numbers).subspan(first, count));
    std::ranges::copy(bytes, out.begin());
    return {};
}

Result<void> Concatenated::check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const {
    const std::uint64_t both = m_runs[0] + m_runs[1], count = both > 0 ? shape.elements() / both : 0;
    bool fits = dtype == m_dtype && info(dtype).blockElements == 1 && count > 0 && shape.elements() == count * both;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        fits = fits && inputs[i].elements() == count * m_runs[i] && (inputs[i].dtype() == dtype || dtype == Dtype::F32);
    return fits ? Result<void>() : changed(m_inputs[0]);
}

Result<void> Concatenated::readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                                   std::span<std::byte> out) const {
    const std::uint64_t both = m_runs[0] + m_runs[1], size = info(m_dtype).blockBytes;
    std::vector<float> values;
    std::vector<std::byte> scratch;
    for (std::uint64_t done = 0; done < count;) {
        const std::uint64_t at = first + done, within = at % both;
        const std::size_t side = within < m_runs[0] ? 0 : 1;
        const std::uint64_t inRun = within - (side == 0 ? 0 : m_runs[0]), run = std::min(m_runs[side] - inRun, count - done);
        const std::uint64_t from = at / both * m_runs[side] + inRun;
        const auto to = out.subspan(done * size, run * size);
        if (inputs[side].dtype() == m_dtype) {
            WB_TRY(inputs[side].readRaw(from, run, to));
        } else {
            values.resize(run);
            WB_TRY(inputs[side].readF32(from, values, scratch));
            std::memcpy(to.data(), values.data(), to.size());
        }
        done += run;
    }
    return {};
}

Result<void> Interleaved::check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const {
    const bool fits = isWritten(dtype) && dtype == m_dtype && inputs[0].elements() == inputs[1].elements() &&
                      shape.elements() % 2 == 0 && inputs[0].elements() == shape.elements() / 2;
    return fits ? Result<void>() : changed(m_inputs[0]);
}

Result<void> Interleaved::readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                                  std::span<std::byte> out) const {
    std::vector<float> values(count), part;
    std::vector<std::byte> scratch;
    for (std::uint64_t side = 0; side < 2; ++side) {
        const std::uint64_t begin = (first + 1 - side) / 2, end = (first + count + 1 - side) / 2; // of elements 2i + side
        part.resize(end - begin);
        WB_TRY(inputs[side].readF32(begin, part, scratch));
        for (std::uint64_t i = begin; i < end; ++i) values[2 * i + side - first] = part[i - begin];
    }
    store(values, m_dtype, out);
    return {};
}

namespace {
constexpr std::uint64_t blockElements = 32, codeBytes = 16;
}

Result<void> UnpackedBlocks::check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const {
    std::uint64_t elements = 0;
    bool fits = dtype == Dtype::U8;
    for (const TensorReader& input : inputs) {
        fits = fits && input.dtype() == Dtype::MXFP4 && input.shape().rank() == 3 && input.shape() == inputs[0].shape();
        elements += input.elements();
    }
    return fits && shape.elements() == elements / blockElements * (m_part == Part::Codes ? codeBytes : 1) ? Result<void>()
                                                                                                          : changed(m_inputs[0]);
}

Result<void> UnpackedBlocks::readBlock(std::span<const TensorReader> inputs, std::uint64_t block, std::span<std::byte> out) const {
    const Shape& shape = inputs[0].shape();
    const std::uint64_t rowBlocks = shape[2] / blockElements, row = block / rowBlocks;
    const std::uint64_t input = row % inputs.size(), from = row / inputs.size() * rowBlocks + block % rowBlocks;
    return inputs[input].readRaw(from * blockElements, blockElements, out);
}

Result<void> UnpackedBlocks::readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                                     std::span<std::byte> out) const {
    std::array<std::byte, codeBytes + 1> block{};
    const std::uint64_t each = m_part == Part::Codes ? codeBytes : 1;
    for (std::uint64_t done = 0; done < count;) {
        const std::uint64_t at = first + done, within = at % each, run = std::min(each - within, count - done);
        WB_TRY(readBlock(inputs, at / each, block));
        if (m_part == Part::Scales) out[done] = block[0];
        for (std::uint64_t i = 0; m_part == Part::Codes && i < run; ++i) {
            const std::uint64_t pair = 2 * (within + i); // values 2i and 2i + 1 of the block, the first in the low half
            const auto value = [&block](std::uint64_t v) {
                return (block[1 + v % codeBytes] >> (v < codeBytes ? 0 : 4)) & std::byte{15};
            };
            out[done + i] = value(pair) | (value(pair + 1) << 4);
        }
        done += run;
    }
    return {};
}

} // namespace wb::convert
