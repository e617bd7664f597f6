// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/backend.h"

#include <functional>

namespace wb::gpu {

// Blocks of a matrix by number, row after row, ascending: those that a device which flushes subnormal numbers may have got wrong
// (gpu/shaders/quant/vanish.glsl).
using BlockNumbers = std::vector<std::uint64_t>;

// The blocks whose bits are set, bit b of word w being block 32 · w + b.
BlockNumbers markedBlocks(std::span<const std::uint32_t> words);

// Whole rows of values, however they are stored.
struct RowSource {
    std::function<void(std::uint64_t first, std::span<float> values)>
        read; // `first` and the count are complete blocks of the target
    std::uint64_t columns = 0;
    std::span<const float> weights; // empty, or one a column
};
RowSource rowSource(const quant::Rows& rows);
RowSource rowSource(const quant::StoredRows& rows);

// Quantizes the blocks on the CPU, into their places in `out`. A block with a value that is not finite stays as it is; it is not
// used. Thread-safe.
void redoBlocks(Dtype dtype, std::span<const std::uint64_t> blocks, const RowSource& source, std::span<std::byte> out);

// The difference between the blocks in `out` and their source.
quant::ErrorSums blockErrors(Dtype dtype, std::span<const std::uint64_t> blocks, const RowSource& source,
                             std::span<const std::byte> out);

} // namespace wb::gpu
