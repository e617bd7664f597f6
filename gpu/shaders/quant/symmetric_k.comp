// SPDX-License-Identifier: MIT
#version 450
// Q3_K and Q6_K (core/quant/encode_k.cpp, k_blocks.cpp): one invocation a sub-block of 16. TYPE is 3 or 6.
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
#include "fit.glsl"

shared float meanSquare[BLOCKS];
shared float fitted[BLOCKS][16];
shared float groupWeight[BLOCKS][16];
shared int scaleCodes[BLOCKS][16]; // signed
shared uint unit[BLOCKS];
shared uint packed[BLOCKS][12];
shared uint codes[BLOCKS][256];
shared bool empty[BLOCKS];

void sumSquares() {
    if (TYPE != 3 || !WEIGHTED || ownLane() != 0u) return;
    F sum = 0.0;
    for (uint i = 0u; i < 256u; ++i) {
        float x = element(i);
        sum += x * x;
    }
    F mean = 2.0 * sum / 256.0;
    meanSquare[ownBlock()] = mean;
}

float weightOf(uint i, float x) {
    F square = x * x;
    if (!WEIGHTED) return square;
    float own = weight(ownLane() * 16u + i);
    if (TYPE == 6) return own;
    F sum = meanSquare[ownBlock()] + square;
    F product = own * exactSqrt(sum);
    return product;
}

void loadGroup() {
    F total = 0.0;
    for (uint i = 0u; i < 16u; ++i) {
        gx[i] = element(ownLane() * 16u + i);
        gw[i] = weightOf(i, gx[i]);
        total += gw[i];
    }
    groupWeight[ownBlock()][ownLane()] = total;
}

void loadScales() {
    for (uint j = 0u; j < 16u; ++j) {
        gx[j] = fitted[ownBlock()][j];
        gw[j] = groupWeight[ownBlock()][j];
    }
}

#if TYPE == 3
void quantizeScales() {
    uint block = ownBlock();
    loadScales();
    uint d = 0u;
    if (WEIGHTED) {
        d = f16Bits(fitSymmetric(32, 16));
    } else {
        float largest = signedLargest(16);
        clearCodes(16);
        if (largest != 0.0) {
            float inverse = exactDivide(-32.0, largest);
            for (uint j = 0u; j < 16u; ++j) {
                F scaled = inverse * gx[j];
                gc[j] = clamp(nearestInt(scaled) << 24 >> 24, -32, 31) + 32;
            }
            d = f16Bits(exactDivide(1.0, inverse));
        }
    }
    unit[block] = d;
    uint bytes[12];
    for (uint j = 0u; j < 12u; ++j) bytes[j] = 0u;
    for (uint j = 0u; j < 16u; ++j) {
        uint code = uint(gc[j]);
        bytes[j % 8u] |= (code & 15u) << (j < 8u ? 0u : 4u);
        bytes[8u + j % 4u] |= (code >> 4 & 3u) << (2u * (j / 4u));
        scaleCodes[block][j] = int(code & 63u) - 32;
    }
    for (uint j = 0u; j < 12u; ++j) packed[block][j] = bytes[j];
    empty[block] = false;
}
#else
void quantizeScales() {
    uint block = ownBlock();
    loadScales();
    float largest = signedLargest(16);
    empty[block] = abs(largest) < emptyGroup;
    if (empty[block]) return;
    float inverse = exactDivide(-128.0, largest);
    unit[block] = f16Bits(exactDivide(1.0, inverse));
    for (uint j = 0u; j < 16u; ++j) {
        F scaled = inverse * gx[j];
        scaleCodes[block][j] = min(127, nearestInt(scaled)) << 24 >> 24;
    }
}
#endif

void finalCodes(int kept[32]) {
    uint block = ownBlock();
    F scale = empty[block] ? 0.0 : f16Value(unit[block]) * float(scaleCodes[block][ownLane()]);
    for (uint i = 0u; i < 16u; ++i) {
        int code = kept[i];
        if (scale != 0.0)
            code = clamp(nearestQuotient(element(ownLane() * 16u + i), scale), -HALF_LEVELS, HALF_LEVELS - 1) + HALF_LEVELS;
        codes[block][ownLane() * 16u + i] = uint(code);
    }
}

uint twoBits(uint block, uint at, uint shift) {
    uint first = 128u * (at / 32u) + at % 32u;
    uint bits = 0u;
    for (uint k = 0u; k < 4u; ++k) bits |= (codes[block][first + 32u * k] >> shift & 3u) << (2u * k);
    return bits;
}

uint byteOf(uint block, uint at) {
#if TYPE == 3
    if (at < 32u) {
        uint bits = 0u;
        for (uint k = 0u; k < 8u; ++k) bits |= (codes[block][32u * k + at] >> 2 & 1u) << k;
        return bits;
    }
    if (at < 96u) return twoBits(block, at - 32u, 0u);
    if (at < 108u) return packed[block][at - 96u];
    return unit[block] >> (8u * (at - 108u));
#else
    if (empty[block]) return 0u;
    if (at < 128u) {
        uint first = 128u * (at / 64u) + at % 64u;
        return (codes[block][first] & 15u) | (codes[block][first + 64u] & 15u) << 4;
    }
    if (at < 192u) return twoBits(block, at - 128u, 4u);
    if (at < 208u) return uint(scaleCodes[block][at - 192u]);
    return unit[block] >> (8u * (at - 208u));
#endif
}

void main() {
    sumSquares();
    barrier();
    loadGroup();
    float scale = TYPE == 3 && !WEIGHTED ? fitBySweeps(4, 16) : fitSymmetric(HALF_LEVELS, 16);
    fitted[ownBlock()][ownLane()] = scale;
    int kept[32] = gc;
    barrier();
    if (ownLane() == 0u) quantizeScales();
    barrier();
    finalCodes(kept);
    barrier();
    writeBlocks();
}
