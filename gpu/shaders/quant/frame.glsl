// SPDX-License-Identifier: MIT
// What every quantizer shader shares. A workgroup of 64 invocations handles BLOCKS blocks with LANES invocations each; its blocks
// together are a whole number of words long. The includer defines BLOCK_ELEMENTS, BLOCK_BYTES and LANES, leaves what it found in shared
// memory, and gives `uint byteOf(uint block, uint at)`: byte `at` of the workgroup's block `block` from there. writeBlocks() then puts
// the bytes into words, so that no block needs an alignment.
//
// The arithmetic follows core/quant's scalar form step by step: same order of operations, one rounding each. Hence `precise` on every
// float that is computed, and exact.glsl for what Vulkan does not round correctly.
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "../exact.glsl"
#include "vanish.glsl"

layout(local_size_x = 64) in;
layout(constant_id = 0) const bool WEIGHTED = false;

layout(set = 0, binding = 0) readonly buffer Source { uint words[]; } source;   // f32, row after row
layout(set = 0, binding = 1) readonly buffer Weights { uint words[]; } weights; // f32, one a column
layout(set = 0, binding = 2) writeonly buffer Result { uint words[]; } result;  // blocks without gaps
layout(set = 0, binding = 3) readonly buffer Means { uint words[]; } means;     // f32, Σx²/n of each row; weighted Q4_0 … Q5_1 only
layout(set = 0, binding = 4) readonly buffer Tables { uint words[]; } tables;   // what the type needs besides, see core/quant
layout(push_constant) uniform Push {
    uint blocks;       // in all
    uint blocksPerRow;
} push;

const uint BLOCKS = 64u / LANES;
const uint GROUP = BLOCK_ELEMENTS / LANES; // elements of an invocation

#define F precise float

uint ownBlock() { return gl_LocalInvocationID.x / LANES; } // of the workgroup
uint ownLane() { return gl_LocalInvocationID.x % LANES; }  // of the block

// The last workgroup may have more places than there are blocks: those do the last block again, and it is not written.
uint globalBlockOf(uint block) { return min(gl_WorkGroupID.x * BLOCKS + block, push.blocks - 1u); }
uint globalBlock() { return globalBlockOf(ownBlock()); }

float elementOf(uint block, uint at) { return uintBitsToFloat(source.words[globalBlockOf(block) * BLOCK_ELEMENTS + at]); }
float element(uint at) { return elementOf(ownBlock(), at); }
float columnWeight(uint block, uint at) {
    return uintBitsToFloat(weights.words[globalBlockOf(block) % push.blocksPerRow * BLOCK_ELEMENTS + at]);
}
float weight(uint at) { return columnWeight(ownBlock(), at); }
float rowMean() { return uintBitsToFloat(means.words[globalBlock() / push.blocksPerRow]); }

// Marks a block of the workgroup if something of it vanished since the last report.
void report(uint block) {
    if (MARKS && vanishes) markBlock(globalBlockOf(block));
    vanishes = false;
}

// The elements of the invocation's group and their weights.
void watchGroup() {
    for (uint i = 0u; MARKS && i < GROUP; ++i) {
        watchInput(element(ownLane() * GROUP + i), LARGE_ELEMENT);
        if (WEIGHTED) watchInput(weight(ownLane() * GROUP + i), LARGE_WEIGHT);
    }
}

uint byteOf(uint block, uint at);

// To be called by all invocations, after a barrier.
void writeBlocks() {
    const uint words = BLOCKS * BLOCK_BYTES / 4u;
    uint firstWord = gl_WorkGroupID.x * words;
    uint allWords = (push.blocks * BLOCK_BYTES + 3u) / 4u;
    for (uint word = gl_LocalInvocationID.x; word < words && firstWord + word < allWords; word += 64u) {
        uint bits = 0u;
        for (uint k = 0u; k < 4u; ++k) {
            uint at = word * 4u + k;
            bits |= (byteOf(at / BLOCK_BYTES, at % BLOCK_BYTES) & 255u) << (8u * k);
        }
        result.words[firstWord + word] = bits;
    }
}

// The significand that a number is rounded to by adding 1.5 · 2^23, which is 0x400000 more than the integer. A NaN counts as 0: that is
// what the significand of the CPU's one says, while other devices fill theirs otherwise.
uint shiftedSignificand(float shifted) {
    uint bits = floatBitsToUint(shifted);
    return magnitudeOf(bits) > infinityBits ? 0x00400000u : bits & 0x007fffffu;
}

// The roundings of core/quant/kernels/rounding.h.
int nearestInt(float x) {
    F shifted = x + 12582912.0;
    return int(shiftedSignificand(shifted)) - 0x00400000;
}

int truncateToInt8(float x) {
    bool fits = x > -2147483904.0 && x < 2147483648.0;
    int whole = fits ? int(x) : -2147483647 - 1;
    return whole << 24 >> 24;
}

int roundAwayOr(float x, int unfit) {
    if (!(abs(x) < 2147483648.0)) return unfit;
    int whole = int(x);
    F rest = x - float(whole);
    return whole + (rest >= 0.5 ? 1 : rest <= -0.5 ? -1 : 0);
}

// nearestInt(a / b), where `by` is divisorOf(b). Only a quotient near the middle between two integers needs the exact division.
int nearestQuotient(float a, float b, Divisor by) {
    float q = a / b;
    if (abs(q) < 1024.0 && abs(abs(q - floor(q)) - 0.5) > 0.01) return nearestInt(q);
    return nearestInt(exactDivide(a, by));
}

float f16Value(uint code) { return uintBitsToFloat(f16ToF32(code)); }
