// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

// Shared by the scalar and the SIMD form of IQ1_S and IQ1_M: three levels a digit, moved by an eighth up or down, and how a
// super-block is written once its sub-blocks are fitted (docs/reference/gguf.md, "iq1_s, iq1_m").
namespace wb::quant::iq1 {

using Levels = std::array<float, 3>;
inline constexpr Levels shiftUp = {-1 + 0.125f, 0.125f, 1 + 0.125f};
inline constexpr Levels shiftDown = {-1 - 0.125f, -0.125f, 1 - 0.125f};

// 32 elements of IQ1_S share a scale and a shift. A skipped sub-block is one of these as it is.
struct SubBlockS {
    std::array<std::uint16_t, 4> points{};
    float scale = 0;
    bool down = false;
};

// 16 elements of IQ1_M share a scale, each half of 8 has its own shift. Bit 1 of `shifts` is the first half's, bit 0 the second's;
// set means down.
struct SubBlockM {
    std::array<std::uint16_t, 2> points{};
    float scale = 0;
    unsigned shifts = 0;
};

void storeS(const std::array<SubBlockS, 8>& subs, std::byte* out);

// The super-scale is fitted to the stored codes with the super-block's values and weights.
void storeM(const std::array<SubBlockM, 16>& subs, std::span<const float> x, std::span<const float> weights, std::byte* out);

} // namespace wb::quant::iq1
