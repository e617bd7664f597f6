// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace wb::test {

// The bit patterns of floats, which compare where NaNs and signed zeros would not.
inline std::vector<std::uint32_t> bits(std::span<const float> values) {
    std::vector<std::uint32_t> out(values.size());
    std::ranges::transform(values, out.begin(), [](float value) { return std::bit_cast<std::uint32_t>(value); });
    return out;
}

} // namespace wb::test
