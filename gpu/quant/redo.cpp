// SPDX-License-Identifier: MIT
#include "gpu/quant/redo.h"

#include "core/tensor/decode.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

namespace wb::gpu {
namespace {

constexpr std::size_t together = 256; // blocks quantized as one row, which fills the lanes of the SIMD forms

bool allFinite(std::span<const float> values) {
    return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

// Blocks from anywhere, one after another, with the weights of their columns.
void redoLoose(Dtype dtype, std::span<const std::uint64_t> blocks, const RowSource& source, std::span<std::byte> out) {
    const std::size_t elements = info(dtype).blockElements, bytes = info(dtype).blockBytes;
    const std::uint64_t blocksPerRow = source.columns / elements;
    std::vector<float> values, weights, block(elements);
    std::vector<std::uint64_t> taken;
    for (const std::uint64_t number : blocks) {
        source.read(number * elements, block);
        if (!allFinite(block)) continue;
        taken.push_back(number);
        values.insert(values.end(), block.begin(), block.end());
        if (source.weights.empty()) continue;
        const auto own = source.weights.subspan(number % blocksPerRow * elements, elements);
        weights.insert(weights.end(), own.begin(), own.end());
    }
    std::vector<std::byte> made(taken.size() * bytes);
    quant::quantizeRow(dtype, values, weights, made);
    for (std::size_t i = 0; i < taken.size(); ++i) std::memcpy(out.data() + taken[i] * bytes, made.data() + i * bytes, bytes);
}

// Whole rows, where blocks depend on a mean of theirs.
void redoRows(Dtype dtype, std::span<const std::uint64_t> blocks, const RowSource& source, std::span<std::byte> out) {
    const std::uint64_t blocksPerRow = source.columns / info(dtype).blockElements;
    const std::size_t stride = *rowBytes(dtype, source.columns);
    std::vector<float> row(source.columns);
    std::optional<std::uint64_t> done;
    for (const std::uint64_t block : blocks) {
        const std::uint64_t number = block / blocksPerRow;
        if (done == number) continue;
        done = number;
        source.read(number * source.columns, row);
        if (allFinite(row)) quant::quantizeRow(dtype, row, source.weights, out.subspan(number * stride, stride));
    }
}

} // namespace

BlockNumbers markedBlocks(std::span<const std::uint32_t> words) {
    BlockNumbers blocks;
    for (std::size_t at = 0; at < words.size(); ++at)
        for (std::uint32_t bits = words[at]; bits != 0; bits &= bits - 1)
            blocks.push_back(at * 32 + static_cast<std::uint64_t>(std::countr_zero(bits)));
    return blocks;
}

RowSource rowSource(const quant::Rows& rows) {
    const auto read = [values = rows.values](std::uint64_t first, std::span<float> out) {
        std::ranges::copy(values.subspan(first, out.size()), out.begin());
    };
    return {read, rows.columns, rows.weights};
}

// A stored block may be longer than one of the target: rows start with a block of either type.
RowSource rowSource(const quant::StoredRows& rows) {
    const std::uint64_t stored = info(rows.dtype).blockElements, bytes = info(rows.dtype).blockBytes;
    const auto read = [=, all = rows.bytes, dtype = rows.dtype](std::uint64_t first, std::span<float> out) {
        const std::uint64_t begin = first / stored, end = (first + out.size() + stored - 1) / stored;
        std::vector<float> values((end - begin) * stored);
        decode(dtype, all.subspan(begin * bytes, (end - begin) * bytes), values);
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(first - begin * stored), out.size(), out.begin());
    };
    return {read, rows.columns, rows.weights};
}

void redoBlocks(Dtype dtype, std::span<const std::uint64_t> blocks, const RowSource& source, std::span<std::byte> out) {
    if (quant::blocksShareRowMean(dtype) && !source.weights.empty()) return redoRows(dtype, blocks, source, out);
    for (std::size_t at = 0; at < blocks.size(); at += together)
        redoLoose(dtype, blocks.subspan(at, std::min(together, blocks.size() - at)), source, out);
}

quant::ErrorSums blockErrors(Dtype dtype, std::span<const std::uint64_t> blocks, const RowSource& source,
                             std::span<const std::byte> out) {
    const std::size_t elements = info(dtype).blockElements, bytes = info(dtype).blockBytes;
    std::vector<float> values(elements), decoded(elements);
    quant::ErrorSums sums;
    for (const std::uint64_t block : blocks) {
        source.read(block * elements, values);
        decode(dtype, out.subspan(block * bytes, bytes), decoded);
        for (std::size_t i = 0; i < elements; ++i) {
            const double w = values[i], v = decoded[i];
            sums += {(v - w) * (v - w), w * w, v * v, w * v};
        }
    }
    return sums;
}

} // namespace wb::gpu
