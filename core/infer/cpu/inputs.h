// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/kernels.h"

#include <cstddef>
#include <cstring>

namespace wb::infer::cpu {

// The activations of a batch as the matrices of one stage read them: in float form, in integer form, or in both.
struct Inputs {
    Buffer floats, integers;
    std::size_t columns = 0, width = 1; // of the batch at hand
    bool needsFloats = false, needsIntegers = false;

    // What make() claims.
    static std::uint64_t bytesFor(std::size_t maxColumns, std::size_t tokens) {
        const std::size_t groupOf = groupWidth(tokens), groups = groupCount(tokens, groupOf);
        return Buffer::claimFor(groups * floatGroupBytes(maxColumns, groupOf)) +
               Buffer::claimFor(groups * integerGroupBytes(maxColumns + recordColumns - 1, groupOf));
    }
    std::uint64_t bytes() const { return floats.claim() + integers.claim(); }

    // Memory for `tokens` rows of up to `maxColumns`.
    static Result<Inputs> make(std::size_t maxColumns, std::size_t tokens) {
        Inputs inputs;
        const std::size_t groupOf = groupWidth(tokens), groups = groupCount(tokens, groupOf);
        WB_TRY_ASSIGN(inputs.floats, Buffer::make(groups * floatGroupBytes(maxColumns, groupOf)));
        WB_TRY_ASSIGN(inputs.integers, Buffer::make(groups * integerGroupBytes(maxColumns + recordColumns - 1, groupOf)));
        // A group that is not full is computed with whatever lies there.
        std::memset(inputs.floats.data(), 0, inputs.floats.size());
        std::memset(inputs.integers.data(), 0, inputs.integers.size());
        return inputs;
    }

    void begin(std::size_t columnCount, std::size_t tokens, bool asFloats, bool asIntegers) {
        columns = columnCount;
        width = groupWidth(tokens);
        needsFloats = asFloats;
        needsIntegers = asIntegers;
    }

    // Threads may set different tokens at once.
    void set(const Kernels& kernels, std::size_t token, const float* values) const {
        const std::size_t group = token / width, lane = token % width;
        if (needsIntegers) kernels.quantize(values, columns, integerGroup(group), lane, width);
        if (!needsFloats) return;
        auto* const out = reinterpret_cast<float*>(floatGroup(group)) + lane;
        for (std::size_t k = 0; k < columns; ++k) out[k * width] = values[k];
    }

    std::byte* floatGroup(std::size_t group) const { return floats.data() + group * floatGroupBytes(columns, width); }
    std::byte* integerGroup(std::size_t group) const { return integers.data() + group * integerGroupBytes(columns, width); }
};

} // namespace wb::infer::cpu
