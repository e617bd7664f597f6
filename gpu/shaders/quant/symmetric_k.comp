// SPDX-License-Identifier: MIT
#version 450
// Q3_K and Q6_K (core/quant/kernels/encode_k.cpp, k_blocks.cpp): one invocation a sub-block of 16. TYPE is 3 or 6.
#define BLOCK_ELEMENTS 256u
#define LANES 16u
#if TYPE == 3
#define BLOCK_BYTES 110u
#define HALF_LEVELS 4
#else
#define BLOCK_BYTES 210u
#define HALF_LEVELS 32
#endif
#include "frame.glsl"
#include "codes.glsl"
#include "squares.glsl"
#include "fit.glsl"

shared float fitted[BLOCKS][16];
shared float groupWeight[BLOCKS][16];
shared int scaleCodes[BLOCKS][16]; // signed
shared uint unit[BLOCKS];
shared uint packed[BLOCKS][12];
shared bool empty[BLOCKS];

float weightOf(uint i, float x) {
    F square = x * x;
    if (!WEIGHTED) {
        watchTerm(x, x, square);
        return square;
    }
    float own = weight(ownLane() * 16u + i);
    if (TYPE == 6) return own;
    F sum = meanSquare[ownBlock()] + square;
    float root = exactSqrt(sum);
    F product = own * root;
    watchSquare(x, square, meanSquare[ownBlock()]);
    watchTerm(own, root, product);
    return product;
}

void loadGroup() {
    F total = 0.0;
    [[unroll]] for (uint i = 0u; i < 16u; ++i) {
        gx[i] = element(ownLane() * 16u + i);
        gw[i] = weightOf(i, gx[i]);
        total += gw[i];
    }
    groupWeight[ownBlock()][ownLane()] = total;
}

// The scale, with codes in `codes`.
float fitGroup() {
    float inverse;
    float scale = fitSymmetric(HALF_LEVELS, 16, inverse);
    [[unroll]] for (uint i = 0u; i < 16u; ++i) setCode(i, uint(symmetricCode(HALF_LEVELS, inverse, gx[i])));
    return scale;
}

// fitBySweeps of core/quant/kernels/fit.h: weights are x², each code in turn moves to where it fits the others best.
float fitBySweeps() {
    float largest = signedLargest(16);
    float inverse = abs(largest) < emptyGroup ? 0.0 : exactDivide(-4.0, largest);
    [[unroll]] for (uint i = 0u; i < 16u; ++i) setCode(i, uint(symmetricCode(4, inverse, gx[i])));
    if (inverse == 0.0) return 0.0;
    watchFit(16);
    Sums sums = symmetricSums(4, inverse, 16);
    for (int sweep = 0; sweep < 5; ++sweep) {
        bool changed = false;
        for (uint i = 0u; i < 16u; ++i) {
            float x = element(ownLane() * 16u + i);
            F w = x * x;
            int code = int(ownCode(i)) - 4;
            float old = float(code);
            F lx = sums.lx - w * x * old;
            F l2 = sums.l2 - w * old * old;
            F product = x * l2;
            watchProduct(x, l2, product);
            int next = clamp(nearestInt(exactDivide(product, lx)), -4, 3);
            if (!(lx > 0.0) || next == code) continue;
            float level = float(next);
            lx += w * x * level;
            l2 += w * level * level;
            F left = lx * lx * sums.l2;
            F right = sums.lx * sums.lx * l2;
            watchProduct(lx, sums.l2, left); // vanishes if lx² does
            watchProduct(sums.lx, l2, right);
            if (!(l2 > 0.0 && left > right)) continue;
            setCode(i, uint(next + 4));
            sums = Sums(lx, l2);
            changed = true;
        }
        if (!changed) break;
    }
    float scale = ratioOrZero(sums);
    watchCoarse(scale);
    return scale;
}

void loadScales(uint block) {
    [[unroll]] for (uint j = 0u; j < 16u; ++j) {
        gx[j] = fitted[block][j];
        gw[j] = groupWeight[block][j];
    }
}

#if TYPE == 3
// One invocation a block.
void quantizeScales(uint block) {
    loadScales(block);
    float inverse = 0.0;
    uint d = 0u;
    if (WEIGHTED) {
        d = f16Bits(fitSymmetric(32, 16, inverse));
    } else {
        float largest = signedLargest(16);
        if (largest != 0.0) {
            inverse = exactDivide(-32.0, largest);
            watch(inverse);
            d = f16Bits(exactDivide(1.0, inverse));
        }
    }
    unit[block] = d;
    uint bytes[12] = uint[12](0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u);
    [[unroll]] for (uint j = 0u; j < 16u; ++j) {
        F scaled = inverse * gx[j];
        int signed8 = WEIGHTED ? clamp(nearestInt(scaled), -32, 31) : clamp(nearestInt(scaled) << 24 >> 24, -32, 31);
        uint code = inverse != 0.0 ? uint(signed8 + 32) : 0u;
        bytes[j % 8u] |= (code & 15u) << (j < 8u ? 0u : 4u);
        bytes[8u + j % 4u] |= (code >> 4 & 3u) << (2u * (j / 4u));
        scaleCodes[block][j] = int(code & 63u) - 32;
    }
    [[unroll]] for (uint j = 0u; j < 12u; ++j) packed[block][j] = bytes[j];
    empty[block] = false;
}
#else
void quantizeScales(uint block) {
    loadScales(block);
    float largest = signedLargest(16);
    empty[block] = abs(largest) < emptyGroup;
    if (empty[block]) return;
    float inverse = exactDivide(-128.0, largest);
    watch(inverse);
    unit[block] = f16Bits(exactDivide(1.0, inverse));
    [[unroll]] for (uint j = 0u; j < 16u; ++j) {
        F scaled = inverse * gx[j];
        scaleCodes[block][j] = min(127, nearestInt(scaled)) << 24 >> 24;
    }
}
#endif

// Codes stay as they were fitted where the group has no scale.
void finalCodes() {
    uint block = ownBlock();
    F scale = empty[block] ? 0.0 : f16Value(unit[block]) * float(scaleCodes[block][ownLane()]);
    if (scale == 0.0) return;
    Divisor by = divisorOf(scale);
    for (uint i = 0u; i < 16u; ++i) {
        int code = clamp(nearestQuotient(element(ownLane() * 16u + i), scale, by), -HALF_LEVELS, HALF_LEVELS - 1) + HALF_LEVELS;
        setCode(i, uint(code));
    }
}

uint twoBits(uint block, uint at, uint shift) {
    uint first = 128u * (at / 32u) + at % 32u;
    uint bits = 0u;
    for (uint k = 0u; k < 4u; ++k) bits |= (codeAt(block, first + 32u * k) >> shift & 3u) << (2u * k);
    return bits;
}

uint byteOf(uint block, uint at) {
#if TYPE == 3
    if (at < 32u) {
        uint bits = 0u;
        for (uint k = 0u; k < 8u; ++k) bits |= (codeAt(block, 32u * k + at) >> 2 & 1u) << k;
        return bits;
    }
    if (at < 96u) return twoBits(block, at - 32u, 0u);
    if (at < 108u) return packed[block][at - 96u];
    return unit[block] >> (8u * (at - 108u));
#else
    if (empty[block]) return 0u;
    if (at < 128u) {
        uint first = 128u * (at / 64u) + at % 64u;
        return (codeAt(block, first) & 15u) | (codeAt(block, first + 64u) & 15u) << 4;
    }
    if (at < 192u) return twoBits(block, at - 128u, 4u);
    if (at < 208u) return uint(scaleCodes[block][at - 192u]);
    return unit[block] >> (8u * (at - 208u));
#endif
}

void main() {
    if (TYPE == 3 && WEIGHTED) findMeanSquares(2.0, 256.0);
    barrier();
    watchGroup();
    loadGroup();
    fitted[ownBlock()][ownLane()] = TYPE == 3 && !WEIGHTED ? fitBySweeps() : fitGroup();
    report(ownBlock());
    barrier();
    if (gl_LocalInvocationID.x < BLOCKS) {
        quantizeScales(gl_LocalInvocationID.x);
        report(gl_LocalInvocationID.x);
    }
    barrier();
    finalCodes();
    barrier();
    writeBlocks();
}
