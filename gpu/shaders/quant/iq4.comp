// SPDX-License-Identifier: MIT
#version 450
// IQ4_NL and IQ4_XS (core/quant/encode_iq4.cpp): one invocation a group of 32. TYPE is 1 for IQ4_NL, 2 for IQ4_XS.
#if TYPE == 1
#define BLOCK_ELEMENTS 32u
#define BLOCK_BYTES 18u
#define LANES 1u
#else
#define BLOCK_ELEMENTS 256u
#define BLOCK_BYTES 136u
#define LANES 8u
#endif
#include "frame.glsl"
#include "fit.glsl"

const int levels[16] = int[16](-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113);

shared float meanSquare[BLOCKS];
shared float fitted[BLOCKS][LANES];
shared float superScale[BLOCKS];
shared int scaleCodes[BLOCKS][LANES];
shared uint codes[BLOCKS][BLOCK_ELEMENTS];

// Bisection; ties go up.
int nearestLevel(float y) {
    if (y <= float(levels[0])) return 0;
    if (y >= float(levels[15])) return 15;
    int low = 0, high = 15;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (y < float(levels[middle])) high = middle;
        else low = middle;
    }
    F below = y - float(levels[low]);
    F above = float(levels[high]) - y;
    return below < above ? low : high;
}

void sumSquares() {
    if (ownLane() != 0u) return;
    F sum = 0.0;
    for (uint i = 0u; i < BLOCK_ELEMENTS; ++i) {
        float x = element(i);
        sum += x * x;
    }
    F mean = sum * (2.0 / float(BLOCK_ELEMENTS));
    meanSquare[ownBlock()] = mean;
}

void loadGroup() {
    for (uint i = 0u; i < 32u; ++i) {
        gx[i] = element(ownLane() * 32u + i);
        F square = gx[i] * gx[i];
        F own = square;
        if (WEIGHTED) {
            F sum = meanSquare[ownBlock()] + square;
            own = weight(ownLane() * 32u + i) * exactSqrt(sum);
        }
        gw[i] = own;
    }
}

Sums sumsFor(float inverse) {
    F lx = 0.0;
    F l2 = 0.0;
    for (int i = 0; i < 32; ++i) {
        F scaled = inverse * gx[i];
        float level = float(levels[nearestLevel(scaled)]);
        lx += gw[i] * level * gx[i];
        l2 += gw[i] * level * level;
    }
    return Sums(lx, l2);
}

float fitScale() {
    float largest = signedLargest(32);
    if (abs(largest) < emptyGroup) return 0.0;
    float start = exactDivide(-largest, float(levels[0]));
    Sums first = sumsFor(exactDivide(1.0, start));
    F d = ratioOrZero(first);
    F best = d * first.lx;
    for (int t = -7; t <= 7; ++t) {
        Sums sums = sumsFor(exactDivide(float(t + levels[0]), largest));
        F left = sums.lx * sums.lx;
        F right = best * sums.l2;
        if (!(sums.l2 > 0.0 && left > right)) continue;
        d = exactDivide(sums.lx, sums.l2);
        best = d * sums.lx;
    }
    return d;
}

void storeCodes(float scale) {
    float inverse = scale != 0.0 ? exactDivide(1.0, scale) : 0.0;
    for (uint i = 0u; i < 32u; ++i) {
        F scaled = inverse * gx[i];
        codes[ownBlock()][ownLane() * 32u + i] = uint(nearestLevel(scaled));
    }
}

void chooseSuperScale() {
    uint block = ownBlock();
    float largest = 0.0;
    for (uint b = 0u; b < LANES; ++b) {
        if (abs(fitted[block][b]) > abs(largest)) largest = fitted[block][b];
    }
    F d = -largest / 32.0; // a power of two: exact on every device
    float inverse = d != 0.0 ? exactDivide(1.0, d) : 0.0;
    superScale[block] = d;
    for (uint b = 0u; b < LANES; ++b) {
        F scaled = inverse * fitted[block][b];
        scaleCodes[block][b] = clamp(nearestInt(scaled), -32, 31);
    }
}

uint nibbles(uint block, uint at) {
    uint first = 32u * (at / 16u) + at % 16u;
    return codes[block][first] | codes[block][first + 16u] << 4;
}

uint byteOf(uint block, uint at) {
    if (at < 2u) return f16Bits(superScale[block]) >> (8u * at);
#if TYPE == 1
    return nibbles(block, at - 2u);
#else
    uint bits = 0u;
    if (at < 4u) {
        for (uint k = 0u; k < 4u; ++k) bits |= uint(scaleCodes[block][4u * (at - 2u) + k] + 32) >> 4 << (2u * k);
        return bits;
    }
    if (at < 8u) {
        for (uint k = 0u; k < 2u; ++k) bits |= (uint(scaleCodes[block][2u * (at - 4u) + k] + 32) & 15u) << (4u * k);
        return bits;
    }
    return nibbles(block, at - 8u);
#endif
}

void main() {
    sumSquares();
    barrier();
    loadGroup();
    float scale = fitScale();
#if TYPE == 1
    superScale[ownBlock()] = scale;
    storeCodes(scale);
#else
    fitted[ownBlock()][ownLane()] = scale;
    barrier();
    if (ownLane() == 0u) chooseSuperScale();
    barrier();
    // The codes follow the unrounded super-scale, not the f16 that is stored.
    F used = superScale[ownBlock()] * float(scaleCodes[ownBlock()][ownLane()]);
    storeCodes(used);
#endif
    barrier();
    writeBlocks();
}
