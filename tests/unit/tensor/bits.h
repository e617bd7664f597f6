// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace wb::test {

// The bit patterns of floats, which compare where NaNs and signed zeros would not.
inline std::vector<std::uint32_t> bits(std::span<const float> values) {
    std::vector<std::uint32_t> out(values.size());
    std::memcpy(out.data(), values.data(), values.size_bytes());
    return out;
}

} // namespace wb::test
