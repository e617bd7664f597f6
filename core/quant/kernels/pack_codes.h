// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// How the codes of a super-block of 256 become bytes; layouts in core/tensor/block_layout.h.
namespace wb::quant {

using Codes256 = std::array<std::uint8_t, 256>;

// 64 bytes: byte 32c+l holds elements 128c+l, +32, +64, +96 in bits 0-1, 2-3, 4-5, 6-7. Only the low two bits of a code count.
void packTwoBits(std::byte* out, const Codes256& codes);

// 128 bytes: byte `run`·g+l holds elements 2·run·g+l (low) and 2·run·g+run+l (high); only the low four bits count.
void packNibbles(std::byte* out, const Codes256& codes, std::size_t run);

// 32 bytes: bit k of byte m is `bit` of element 32k+m.
void packBitPlane(std::byte* out, const Codes256& codes, unsigned bit);

} // namespace wb::quant
