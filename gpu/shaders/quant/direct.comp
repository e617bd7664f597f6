// SPDX-License-Identifier: MIT
#version 450
// The types without a search (core/quant/kernels/encode_direct.cpp): Q8_0, Q1_0, Q2_0, TQ1_0, TQ2_0. TYPE names one of them.
#define Q8_0 80
#define Q1_0 10
#define Q2_0 20
#define TQ1_0 11
#define TQ2_0 12
#if TYPE == Q8_0
#define BLOCK_ELEMENTS 32u
#define BLOCK_BYTES 34u
#define LANES 1u
#elif TYPE == Q1_0
#define BLOCK_ELEMENTS 128u
#define BLOCK_BYTES 18u
#define LANES 4u
#elif TYPE == Q2_0
#define BLOCK_ELEMENTS 64u
#define BLOCK_BYTES 18u
#define LANES 2u
#elif TYPE == TQ1_0
#define BLOCK_ELEMENTS 256u
#define BLOCK_BYTES 54u
#define LANES 8u
#else
#define BLOCK_ELEMENTS 256u
#define BLOCK_BYTES 66u
#define LANES 8u
#endif
#include "frame.glsl"
#include "codes.glsl"

shared float largestOf[64];
shared uint unit[BLOCKS];

float largestMagnitude() {
    float largest = 0.0;
    for (uint i = 0u; i < GROUP; ++i) largest = max(largest, abs(element(ownLane() * GROUP + i)));
    return largest;
}

// d of the block. The mean of Q1_0 is summed in index order, so each invocation of the block sums everything.
float scaleOf() {
    if (TYPE == Q1_0) {
        F sum = 0.0;
        for (uint i = 0u; i < BLOCK_ELEMENTS; ++i) sum += abs(element(i));
        F mean = sum / 128.0;
        return mean;
    }
    float largest = 0.0;
    for (uint lane = 0u; lane < LANES; ++lane) largest = max(largest, largestOf[ownBlock() * LANES + lane]);
    return TYPE == Q8_0 ? exactDivide(largest, 127.0) : largest;
}

uint codeOf(float x, float inverse) {
    F scaled = x * inverse;
    if (TYPE == Q1_0) return x >= 0.0 ? 1u : 0u;
    if (TYPE == Q2_0) return uint(clamp(roundAwayOr(scaled, -2) + 1, 0, 3));
    if (TYPE == Q8_0) return uint(roundAwayOr(scaled, 0)) & 255u;
    return uint(roundAwayOr(scaled, 0) + 1);
}

uint trits(uint block, uint first, uint stride, uint count) {
    uint q = 0u;
    for (uint n = 0u; n < count; ++n) q = 3u * q + codeAt(block, first + n * stride);
    if (count == 4u) q *= 3u;
    return (256u * q + 242u) / 243u;
}

uint packed(uint block, uint at) {
    if (TYPE == Q8_0) return codeAt(block, at);
    if (TYPE == TQ1_0) {
        if (at < 32u) return trits(block, at, 32u, 5u);
        return at < 48u ? trits(block, 160u + at - 32u, 16u, 5u) : trits(block, 240u + at - 48u, 4u, 4u);
    }
    uint bits = 0u;
    for (uint k = 0u; k < 8u; ++k) {
        if (TYPE == Q1_0) bits |= codeAt(block, 8u * at + k) << k;
        if (TYPE == Q2_0 && k < 4u) bits |= codeAt(block, 4u * at + k) << (2u * k);
        if (TYPE == TQ2_0 && k < 4u) bits |= (codeAt(block, 128u * (at / 32u) + 32u * k + at % 32u) & 3u) << (2u * k);
    }
    return bits;
}

uint byteOf(uint block, uint at) {
    const bool unitFirst = TYPE == Q8_0 || TYPE == Q1_0 || TYPE == Q2_0;
    const uint unitAt = unitFirst ? 0u : BLOCK_BYTES - 2u;
    if (at >= unitAt && at < unitAt + 2u) return unit[block] >> (8u * (at - unitAt));
    return packed(block, unitFirst ? at - 2u : at);
}

// Rules 1, 4 and 5 do: the scale is a magnitude, a 127th of one, or a mean of 128 of them.
void main() {
    watchGroup();
    report(ownBlock());
    largestOf[gl_LocalInvocationID.x] = largestMagnitude();
    barrier();
    float d = scaleOf();
    float inverse = d != 0.0 ? exactDivide(1.0, d) : 0.0;
    if (ownLane() == 0u) unit[ownBlock()] = f16Bits(d);
    for (uint i = 0u; i < GROUP; ++i) {
        setCode(i, codeOf(element(ownLane() * GROUP + i), inverse));
    }
    barrier();
    writeBlocks();
}
