// SPDX-License-Identifier: MIT
// What both products of codes take from the words of a block.
#ifndef WB_INFER_LEVELS_GLSL
#define WB_INFER_LEVELS_GLSL

uint byteOf(uvec4 words, uint index) { return words[index / 4] >> (8 * (index % 4)) & 255u; }

// values_iq4 of core/tensor/tables as signed bytes: the levels of IQ4_NL and IQ4_XS.
const uvec4 iq4Levels = uvec4(0xBFAD9881u, 0xF6EADDCFu, 0x26190D01u, 0x71594535u);

// Twice the numbers of two bits of exponent and one of mantissa: 0 1 2 3 4 6 8 12, then the same below zero.
const uvec4 fp4Levels = uvec4(0x03020100u, 0x0C080604u, 0xFDFEFF00u, 0xF4F8FAFCu);

// The levels of four codes, of which each has the low half of a byte.
uint levelWord(uvec4 levels, uint nibbles) {
    uint word = 0;
    for (uint i = 0; i < 32; i += 8) word |= byteOf(levels, nibbles >> i & 15u) << i;
    return word;
}

uvec4 levelWords(uvec4 levels, uvec4 nibbles) {
    return uvec4(levelWord(levels, nibbles.x), levelWord(levels, nibbles.y), levelWord(levels, nibbles.z),
                 levelWord(levels, nibbles.w));
}

uvec4 iq4Words(uvec4 nibbles) { return levelWords(iq4Levels, nibbles); }

uvec4 fp4Words(uvec4 nibbles) { return levelWords(fp4Levels, nibbles); }

// The lowest four bits, each as the fifth bit of a byte.
uint fifthBits(uint bits) { return (bits & 1u) << 4 | (bits & 2u) << 11 | (bits & 4u) << 18 | (bits & 8u) << 25; }

uvec4 fifthBits16(uint bits) { return uvec4(fifthBits(bits), fifthBits(bits >> 4), fifthBits(bits >> 8), fifthBits(bits >> 12)); }

#endif
