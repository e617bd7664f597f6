// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/kernels/kernels.h"
#include "core/infer/cpu/memory.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstring>

namespace wb::infer::cpu {

// Activations as matrices read them (activations.h), in float form, in integer form, or in both.
struct Inputs {
    Buffer floats, integers;
    std::size_t columns = 0, width = 1; // of the batch at hand
    bool needsFloats = false, needsIntegers = false;

    // For `tokens` rows of up to `maxColumns`.
    void plan(CpuMemory& memory, const char* name, std::size_t maxColumns, std::size_t tokens) {
        const std::size_t groupOf = groupWidth(tokens), groups = groupCount(tokens, groupOf);
        memory.add(floats, fmt::format("{}, f32 [{}][{}]", name, tokens, maxColumns), MemoryUse::Compute,
                   {groups, floatGroupBytes(maxColumns, groupOf)});
        memory.add(integers, fmt::format("{}, 8 bits [{}][{}]", name, tokens, maxColumns), MemoryUse::Compute,
                   {groups, integerGroupBytes(maxColumns + recordColumns - 1, groupOf)});
    }

    // A group that is not full is computed with the values of its other tokens.
    void clear() const {
        std::memset(floats.data(), 0, floats.size());
        std::memset(integers.data(), 0, integers.size());
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
