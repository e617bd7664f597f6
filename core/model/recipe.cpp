// SPDX-License-Identifier: MIT
#include "core/model/recipe.h"

#include <cstring>

namespace wb {

// `out` may start at any byte, so the numbers are formed next to it.
Result<void> F32Recipe::readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                                std::span<std::byte> out) const {
    std::vector<float> values(count);
    WB_TRY(readF32(inputs, first, values));
    if (count != 0) std::memcpy(out.data(), values.data(), out.size());
    return {};
}

} // namespace wb
