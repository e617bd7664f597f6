// SPDX-License-Identifier: MIT
#version 450
// F32 to F16 (TYPE 16) and BF16 (TYPE 17): one invocation a pair of elements, a block is one element.
#define BLOCK_ELEMENTS 2u
#define BLOCK_BYTES 4u
#define LANES 1u
#include "frame.glsl"

uint byteOf(uint block, uint at) { return 0u; }

uint narrowed(uint bits) {
    if (TYPE == 16) return f16Bits(uintBitsToFloat(bits));
    if ((bits & 0x7fffffffu) > 0x7f800000u) return bits >> 16 | 64u;
    return (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
}

void main() {
    uint at = gl_GlobalInvocationID.x * 2u;
    if (at >= push.blocks) return;
    uint second = at + 1u < push.blocks ? narrowed(source.words[at + 1u]) : 0u;
    result.words[at / 2u] = narrowed(source.words[at]) | second << 16;
}
