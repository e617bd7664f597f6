// SPDX-License-Identifier: MIT
#version 450
// Q4_0, Q4_1, Q5_0 and Q5_1 (core/quant/kernels/encode_legacy.cpp): one invocation a block. BITS is 4 or 5, AFFINE 0 or 1.
#define BLOCK_ELEMENTS 32u
#define LANES 1u
#define BLOCK_BYTES (16u + 2u * (1u + AFFINE) + (BITS - 4u) * 4u)
#define HALF_LEVELS (1 << (BITS - 1))
#define TOP ((1 << BITS) - 1)
#include "frame.glsl"
#include "codes.glsl"
#include "fit.glsl"

shared uint unit[64]; // d in the lower half, the minimum in the upper

// The square root is too long to be unrolled: column weights pass through shared memory.
void loadBlock() {
    float mean = WEIGHTED ? rowMean() : 0.0;
    for (uint i = 0u; WEIGHTED && i < 32u; ++i) {
        float x = element(i);
        F square = x * x;
        F sum = mean + square;
        float root = exactSqrt(sum);
        F own = weight(i) * root;
        watchSquare(x, square, mean);
        watchTerm(weight(i), root, own);
        setCode(i, floatBitsToUint(own));
    }
    [[unroll]] for (uint i = 0u; i < 32u; ++i) {
        gx[i] = element(i);
        if (WEIGHTED) gw[i] = uintBitsToFloat(ownCode(i));
    }
}

float symmetric() {
    if (WEIGHTED) {
        float best;
        float scale = fitSymmetric(HALF_LEVELS, 32, best);
        [[unroll]] for (uint i = 0u; i < 32u; ++i) setCode(i, uint(symmetricCode(HALF_LEVELS, best, gx[i])));
        return scale;
    }
    float d = exactDivide(signedLargest(32), float(-HALF_LEVELS));
    float inverse = d != 0.0 ? exactDivide(1.0, d) : 0.0;
    [[unroll]] for (uint i = 0u; i < 32u; ++i) {
        F moved = gx[i] * inverse + (float(HALF_LEVELS) + 0.5);
        setCode(i, uint(min(TOP, truncateToInt8(moved))));
    }
    return d;
}

float affine(out float offset) {
    if (WEIGHTED) {
        AffineFit fit = fitAffine(TOP, AffineSearch(-0.9, 0.05, 36, false, true), 32);
        [[unroll]] for (uint i = 0u; i < 32u; ++i) setCode(i, uint(affineCode(TOP, fit, gx[i])));
        offset = -fit.minimum;
        return fit.scale;
    }
    float low = gx[0], high = gx[0];
    [[unroll]] for (uint i = 1u; i < 32u; ++i) {
        low = gx[i] < low ? gx[i] : low;
        high = gx[i] > high ? gx[i] : high;
    }
    F range = high - low;
    float d = exactDivide(range, float(TOP));
    float inverse = d != 0.0 ? exactDivide(1.0, d) : 0.0;
    [[unroll]] for (uint i = 0u; i < 32u; ++i) {
        F above = gx[i] - low;
        F moved = above * inverse + 0.5;
        setCode(i, uint(BITS == 4 ? min(TOP, truncateToInt8(moved)) : truncateToInt8(moved)));
    }
    offset = low;
    return d;
}

uint byteOf(uint block, uint at) {
    const uint units = 2u * (1u + AFFINE);
    if (at < units) return unit[block] >> (8u * at);
    at -= units;
    if (BITS == 5) {
        if (at < 4u) {
            uint bits = 0u;
            for (uint k = 0u; k < 8u; ++k) bits |= (codeAt(block, 8u * at + k) >> 4 & 1u) << k;
            return bits;
        }
        at -= 4u;
    }
    return (codeAt(block, at) & 15u) | (codeAt(block, at + 16u) & 15u) << 4;
}

// The forms without weights need no more than rules 1, 4 and 5: d is an eighth of an element, or a part of a difference, at least
// 2^-118 / 31.
void main() {
    watchGroup();
    loadBlock();
    float offset = 0.0;
    float d = AFFINE == 1 ? affine(offset) : symmetric();
    unit[ownBlock()] = f16Bits(d) | f16Bits(offset) << 16;
    report(ownBlock());
    barrier();
    writeBlocks();
}
