// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace wb {

// Whole numbers of four and two bits: the lowest of a byte, two's complement where they have a sign.
constexpr float i4ToF32(std::uint8_t code) { return static_cast<float>(static_cast<int>((code & 15u) ^ 8u) - 8); }
constexpr float u4ToF32(std::uint8_t code) { return static_cast<float>(code & 15u); }
constexpr float i2ToF32(std::uint8_t code) { return static_cast<float>(static_cast<int>((code & 3u) ^ 2u) - 2); }
constexpr float u2ToF32(std::uint8_t code) { return static_cast<float>(code & 3u); }

} // namespace wb
