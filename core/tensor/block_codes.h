// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/bytes.h"

// Reads single codes from a block's bytes; block_layout.h defines their positions.
namespace wb::layout {

// Element i of nibbles in groups of 2·half.
inline unsigned nibbleAt(const std::byte* codes, unsigned half, unsigned i) {
    return loadU8(codes + half * (i / (2 * half)) + i % half) >> (4 * (i / half % 2)) & 15;
}

// Element i of 256 two-bit codes.
inline unsigned twoBitsAt(const std::byte* codes, unsigned i) {
    return loadU8(codes + 32 * (i / 128) + i % 32) >> (2 * (i / 32 % 4)) & 3;
}

// Element i of 256 single bits in 32 bytes.
inline unsigned oneBitAt(const std::byte* bits, unsigned i) { return loadU8(bits + i % 32) >> (i / 32) & 1; }

// Element i of 32 single bits in one u32.
inline unsigned wordBitAt(const std::byte* word, unsigned i) { return load<std::uint32_t>(word) >> i & 1; }

// Element i of the low four bits of Q6_K.
inline unsigned lowSixAt(const std::byte* low, unsigned i) {
    return loadU8(low + 64 * (i / 128) + i % 64) >> (4 * (i / 64 % 2)) & 15;
}

// Trit n of a byte of TQ1_0, 0 to 2. The trits are the digits of the fraction byte/256 in base 3, the first trit first: a
// multiplication by 3^n mod 256 brings trit n to the front, and a last one by 3 lifts it out.
inline unsigned tritAt(unsigned byte, unsigned n) {
    constexpr unsigned powers[] = {1, 3, 9, 27, 81};
    return (byte * powers[n] & 255) * 3 >> 8;
}

} // namespace wb::layout
