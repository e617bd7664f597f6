// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/checked.h"
#include "core/infer/cpu/buffer.h"

namespace wb::infer::cpu {

// Rows of floats, one for each token of a batch.
struct Rows {
    Buffer buffer;
    std::size_t stride = 0;

    // What make() claims.
    static std::uint64_t bytesFor(std::uint64_t columns, std::uint64_t count) {
        return Buffer::claimFor(columns * count * sizeof(float));
    }

    static Result<Rows> make(std::size_t columns, std::size_t count) {
        Rows rows;
        rows.stride = columns;
        const auto numbers = checked::mul(columns, count);
        const auto bytes = numbers ? checked::mul(*numbers, sizeof(float)) : std::nullopt;
        if (!bytes) return std::unexpected(outOfMemory());
        WB_TRY_ASSIGN(rows.buffer, Buffer::make(*bytes));
        return rows;
    }

    float* operator[](std::size_t index) const { return buffer.as<float>() + index * stride; }
};

} // namespace wb::infer::cpu
