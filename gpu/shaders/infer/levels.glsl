// SPDX-License-Identifier: MIT
// What both products of codes take from the words of a block.
#ifndef WB_INFER_LEVELS_GLSL
#define WB_INFER_LEVELS_GLSL

uint byteOf(uvec4 words, uint index) { return words[index / 4] >> (8 * (index % 4)) & 255u; }

// values_iq4 of core/tensor/tables as signed bytes: the levels of IQ4_NL and IQ4_XS.
const uvec4 iq4Levels = uvec4(0xBFAD9881u, 0xF6EADDCFu, 0x26190D01u, 0x71594535u);

uint iq4Word(uint nibbles) {
    uint word = 0;
    for (uint i = 0; i < 32; i += 8) word |= byteOf(iq4Levels, nibbles >> i & 15u) << i;
    return word;
}

uvec4 iq4Words(uvec4 nibbles) { return uvec4(iq4Word(nibbles.x), iq4Word(nibbles.y), iq4Word(nibbles.z), iq4Word(nibbles.w)); }

#endif
