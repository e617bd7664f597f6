// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

// Activations as the matrix kernels read them. Tokens are taken in groups of T = 1 or 8, side by side, so that a kernel needs one
// pointer for all of them; a group of 8 that has fewer tokens is filled with zeros.
//
// For float panels: [columns][T] f32.
// For integer panels: one record for each 32 columns, in which a token's values are codes times its scale:
//   codes   [T][32] i8, -127 … 127
//   scale   [T] f32
//   low     [T] i32, minus the sum of the first 16 codes
//   high    [T] i32, minus the sum of the last 16 codes
//   offset  [T] f32, scale times the sum of all 32 codes
namespace wb::infer::cpu {

inline constexpr std::size_t groupTokens = 8;
inline constexpr std::size_t recordColumns = 32;

// Byte offsets in a record of T tokens.
template <std::size_t T>
struct Record {
    static constexpr std::size_t codes = 0, scale = 32 * T, low = 36 * T, high = 40 * T, offset = 44 * T, bytes = 48 * T;
};

// Tokens side by side in each group of a batch.
constexpr std::size_t groupWidth(std::size_t tokens) { return tokens == 1 ? 1 : groupTokens; }
constexpr std::size_t groupCount(std::size_t tokens, std::size_t width) { return (tokens + width - 1) / width; }

// Bytes of one group.
constexpr std::size_t floatGroupBytes(std::size_t columns, std::size_t width) { return columns * width * sizeof(float); }
constexpr std::size_t integerGroupBytes(std::size_t columns, std::size_t width) { return columns / recordColumns * 48 * width; }

} // namespace wb::infer::cpu
