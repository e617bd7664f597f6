// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/bytes.h"

#include <array>
#include <cstdint>

// Where the fields of a stored block lie: byte offsets, because blocks have no padding and no alignment (source:
// ggml-org/llama.cpp ggml/src/ggml-common.h, docs/reference/gguf.md, "Byte layouts"). `elements` and `bytes` repeat the table of
// dtype.h as constants for kernels. Decoders and quantizers share these.
//
// Nibbles: byte j of a group of 2H elements holds element j in its low and element j+H in its high half.
namespace wb::layout {

// clang-format off
// d: f16 scale; m: f16 minimum; high: u32, bit j is the fifth bit of element j; codes: nibbles with H = 16, or one i8 each.
struct Q4_0 { static constexpr std::size_t elements = 32, bytes = 18, d = 0, codes = 2; };
struct Q4_1 { static constexpr std::size_t elements = 32, bytes = 20, d = 0, m = 2, codes = 4; };
struct Q5_0 { static constexpr std::size_t elements = 32, bytes = 22, d = 0, high = 2, codes = 6; };
struct Q5_1 { static constexpr std::size_t elements = 32, bytes = 24, d = 0, m = 2, high = 4, codes = 8; };
struct Q8_0 { static constexpr std::size_t elements = 32, bytes = 34, d = 0, codes = 2; };
struct Q8_1 { static constexpr std::size_t elements = 32, bytes = 36, d = 0, sum = 2, codes = 4; }; // sum: f16 d * sum of codes

// One bit an element (bit e%8 of byte e/8, set means +d), two bits an element (bits 2(e%4) of byte e/4).
struct Q1_0 { static constexpr std::size_t elements = 128, bytes = 18, d = 0, codes = 2; };
struct Q2_0 { static constexpr std::size_t elements = 64, bytes = 18, d = 0, codes = 2; };

// Super-blocks of 256. Two-bit codes: byte 32c+l holds elements 128c+l, +32, +64, +96 in bits 0-1, 2-3, 4-5, 6-7.
// Q2_K scales: byte j = 4-bit scale (low) and 4-bit minimum (high) of sub-block j of 16.
// Q3_K high: bit k of byte m is set where element 32k+m needs no subtraction of 4; scales: see unpackScalesQ3.
// Q4_K, Q5_K codes: nibbles in groups of 64 with H = 32; high: bit k of byte l is the fifth bit of element 32k+l; scales: see
// unpackScales6. Q6_K low: half c (128 elements) has 64 bytes: byte l = elements l and 64+l, byte 32+l = elements 32+l and 96+l;
// high as two-bit codes; scales: 16 i8. Q8_K: f32 d, 256 i8, 16 i16 sums of 16.
struct Q2_K { static constexpr std::size_t elements = 256, bytes = 84, scales = 0, codes = 16, d = 80, dmin = 82; };
struct Q3_K { static constexpr std::size_t elements = 256, bytes = 110, high = 0, codes = 32, scales = 96, d = 108; };
struct Q4_K { static constexpr std::size_t elements = 256, bytes = 144, d = 0, dmin = 2, scales = 4, codes = 16; };
struct Q5_K { static constexpr std::size_t elements = 256, bytes = 176, d = 0, dmin = 2, scales = 4, high = 16, codes = 48; };
struct Q6_K { static constexpr std::size_t elements = 256, bytes = 210, low = 0, high = 128, scales = 192, d = 208; };
struct Q8_K { static constexpr std::size_t elements = 256, bytes = 292, d = 0, codes = 4, sums = 260; };

// TQ1_0 five: 48 bytes of five trits, four: 4 bytes of four. Trit n of byte m stands for element 32n+m (m < 32), 160+16n+(m-32)
// (m < 48), 240+4n+(m-48). TQ2_0: two-bit codes.
struct TQ1_0 { static constexpr std::size_t elements = 256, bytes = 54, five = 0, four = 48, d = 52; };
struct TQ2_0 { static constexpr std::size_t elements = 256, bytes = 66, codes = 0, d = 64; };

// MXFP4: one E8M0 scale, nibbles with H = 16. NVFP4: four UE4M3 scales, four runs of 8 bytes, nibbles with H = 8.
struct MXFP4 { static constexpr std::size_t elements = 32, bytes = 17, scale = 0, codes = 1; };
struct NVFP4 { static constexpr std::size_t elements = 64, bytes = 36, scales = 0, codes = 4; };

// Levels of a table by nibble, H = 16. IQ4_XS scalesHigh: u16, two bits per block of 32; scalesLow: four bits per block.
struct IQ4_NL { static constexpr std::size_t elements = 32, bytes = 18, d = 0, codes = 2; };
struct IQ4_XS { static constexpr std::size_t elements = 256, bytes = 136, d = 0, scalesHigh = 2, scalesLow = 4, codes = 8; };

// Lattice types: points of a grid, eight or four elements each, with signs next to them.
// IQ2_XXS groups, IQ3_XXS tails: u32 with the 7-bit sign code of group l in bits 7l, the scale in bits 28-31.
// IQ2_XS groups: u16, bits 0-8 point, 9-15 sign code. scales: two nibbles a byte, 16 elements each (IQ3_S: 32 elements each).
// IQ2_S indexHigh: bits 2l of byte b for group 4b+l. IQ3_S indexHigh: bit k of byte b for the group of four 8b+k.
// IQ1_S tails: u16 a block of 32: index bits 8-10 of group l in bits 3l, scale in 12-14, shift negative in 15.
// IQ1_M indexHigh: one byte for 16 elements: index bits 8-10 in bits 0-2 and 4-6, shift negative in bits 3 and 7; scales: four
// u16, 3-bit scales of 16 elements each, and the f16 d spread over their top nibbles.
struct IQ2_XXS { static constexpr std::size_t elements = 256, bytes = 66, d = 0, groups = 2; };
struct IQ2_XS { static constexpr std::size_t elements = 256, bytes = 74, d = 0, groups = 2, scales = 66; };
struct IQ2_S { static constexpr std::size_t elements = 256, bytes = 82, d = 0, index = 2, signs = 34, indexHigh = 66, scales = 74; };
struct IQ3_XXS { static constexpr std::size_t elements = 256, bytes = 98, d = 0, index = 2, tails = 66; };
struct IQ3_S { static constexpr std::size_t elements = 256, bytes = 110, d = 0, index = 2, indexHigh = 66, signs = 74, scales = 106; };
struct IQ1_S { static constexpr std::size_t elements = 256, bytes = 50, d = 0, index = 2, tails = 34; };
struct IQ1_M { static constexpr std::size_t elements = 256, bytes = 56, index = 0, indexHigh = 32, scales = 48; };
// clang-format on

// The 6-bit scales and minimums of the eight sub-blocks of Q4_K and Q5_K from their 12 bytes.
struct Scales6 {
    std::array<std::uint8_t, 8> scale;
    std::array<std::uint8_t, 8> minimum;
};
inline Scales6 unpackScales6(const std::byte* packed) {
    // Bytes 0-3 carry scales 0-3 and, in their top bits, the tops of scales 4-7; bytes 4-7 the same for the minimums; bytes 8-11
    // the low nibbles of scales (low) and minimums (high) 4-7. Four bytes are handled at once.
    const auto a = load<std::uint32_t>(packed);
    const auto b = load<std::uint32_t>(packed + 4);
    const auto low = load<std::uint32_t>(packed + 8);
    constexpr std::uint32_t six = 0x3F3F3F3F, four = 0x0F0F0F0F, tops = 0x30303030;
    const std::array<std::uint32_t, 2> scales = {a & six, (low & four) | (a >> 2 & tops)};
    const std::array<std::uint32_t, 2> minimums = {b & six, (low >> 4 & four) | (b >> 2 & tops)};
    return {std::bit_cast<std::array<std::uint8_t, 8>>(scales), std::bit_cast<std::array<std::uint8_t, 8>>(minimums)};
}

// The signed scales (-32 … 31) of the sixteen sub-blocks of Q3_K from their 12 bytes.
inline std::array<std::int8_t, 16> unpackScalesQ3(const std::byte* packed) {
    // Low nibbles: scales 0-7 and, in the upper halves, 8-15 of bytes 0-7. High pairs: bits 2k of bytes 8-11 for scales 4k … 4k+3.
    const std::array<std::uint32_t, 2> low = {load<std::uint32_t>(packed), load<std::uint32_t>(packed + 4)};
    const auto high = load<std::uint32_t>(packed + 8);
    std::array<std::uint32_t, 4> words;
    for (unsigned k = 0; k < 4; ++k) words[k] = (low[k % 2] >> (4 * (k / 2)) & 0x0F0F0F0F) | (high >> (2 * k) & 0x03030303) << 4;
    auto scales = std::bit_cast<std::array<std::int8_t, 16>>(words);
    for (std::int8_t& scale : scales) scale = static_cast<std::int8_t>(scale - 32);
    return scales;
}

// The signed scales (-32 … 31) of the eight blocks of IQ4_XS; `block` is the whole super-block.
inline std::array<std::int8_t, 8> unpackScalesIq4(const std::byte* block) {
    const unsigned highs = loadU16(block + IQ4_XS::scalesHigh);
    std::array<std::int8_t, 8> scales;
    for (std::size_t b = 0; b < 8; ++b) {
        const unsigned low = loadU8(block + IQ4_XS::scalesLow + b / 2) >> (4 * (b % 2)) & 15;
        scales[b] = static_cast<std::int8_t>(static_cast<int>(low | (highs >> (2 * b) & 3) << 4) - 32);
    }
    return scales;
}

// The f16 scale of IQ1_M, gathered from the top nibbles of its four scale words.
inline std::uint16_t gatherScaleIq1M(const std::byte* block) {
    unsigned d = 0;
    for (std::size_t k = 0; k < 4; ++k) d |= loadU16(block + IQ1_M::scales + 2 * k) >> 12 << (4 * k);
    return static_cast<std::uint16_t>(d);
}

} // namespace wb::layout
