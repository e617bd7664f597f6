// SPDX-License-Identifier: MIT
#version 450
// Q2_K, Q4_K and Q5_K (core/quant/kernels/encode_k.cpp, k_blocks.cpp): each invocation fits one sub-block, two for each block quantize the
// scales and the minimums, then each takes the final codes of its sub-block. TYPE is 2, 4 or 5.
#define BLOCK_ELEMENTS 256u
#if TYPE == 2
#define BLOCK_BYTES 84u
#define LANES 16u
#define LEVELS 3
#define SCALE_LEVELS 15
#define MOST_FITTED 255 // where weighted scale codes are cut
#define MEAN_FACTOR 1.0
#elif TYPE == 4
#define BLOCK_BYTES 144u
#define LANES 8u
#define LEVELS 15
#define SCALE_LEVELS 63
#define MOST_FITTED 255
#define MEAN_FACTOR 2.0
#else
#define BLOCK_BYTES 176u
#define LANES 8u
#define LEVELS 31
#define SCALE_LEVELS 63
#define MOST_FITTED 63
#define MEAN_FACTOR 2.0
#endif
#include "frame.glsl"
#include "codes.glsl"
#include "squares.glsl"
#include "fit.glsl"
#include "sweeps.glsl"

const AffineSearch weightedSearch = AffineSearch(-0.9, 0.05, 36, false, true);
#if TYPE == 2
const AffineSearch plainSearch = AffineSearch(-0.5, 0.1, 15, true, false);
#elif TYPE == 4
const AffineSearch plainSearch = AffineSearch(-1.0, 0.1, 20, false, false);
#else
const AffineSearch plainSearch = AffineSearch(-0.5, 0.1, 15, false, false);
#endif

shared float fitted[BLOCKS][2][LANES]; // scales, minimums
shared float groupWeight[BLOCKS][LANES];
shared uint scaleCodes[BLOCKS][2][LANES];
shared uint unit[BLOCKS][2]; // d, dmin as f16
shared uint packed[BLOCKS][16];

void loadGroup() {
    F squares = 0.0;
    [[unroll]] for (uint i = 0u; i < GROUP; ++i) {
        gx[i] = element(ownLane() * GROUP + i);
        F square = gx[i] * gx[i];
        if (GROUP == 32u && !WEIGHTED) watchSquare(gx[i], square, squares);
        squares += square;
    }
    F mean = squares / 32.0;
    if (GROUP == 32u && !WEIGHTED) watchProduct(squares, 1.0, mean);
    float average = GROUP == 32u && !WEIGHTED ? exactSqrt(mean) : 0.0;
    // The square root is too long to be unrolled: column weights pass through shared memory.
    for (uint i = 0u; WEIGHTED && i < GROUP; ++i) {
        float x = element(ownLane() * GROUP + i);
        F square = x * x;
        F sum = meanSquare[ownBlock()] + square;
        float root = exactSqrt(sum);
        F own = weight(ownLane() * GROUP + i) * root;
        watchSquare(x, square, meanSquare[ownBlock()]);
        watchTerm(weight(ownLane() * GROUP + i), root, own);
        setCode(i, floatBitsToUint(own));
    }
    F total = 0.0;
    [[unroll]] for (uint i = 0u; i < GROUP; ++i) {
        F plain = average + abs(gx[i]);
        gw[i] = WEIGHTED ? uintBitsToFloat(ownCode(i)) : plain;
        total += gw[i];
    }
    groupWeight[ownBlock()][ownLane()] = total;
}

// Kind 0 are the scales of a block, 1 its minimums.
void quantizeScales(uint block, uint kind) {
    for (uint j = 0u; j < LANES; ++j) {
        sx[j] = fitted[block][kind][j];
        sw[j] = groupWeight[block][j];
    }
    float d;
    if (WEIGHTED) {
        d = fitPositive(SCALE_LEVELS, int(LANES));
        for (uint j = 0u; j < LANES; ++j) sc[j] = min(MOST_FITTED, sc[j]);
    } else {
        float largest = 0.0;
        for (uint j = 0u; j < LANES; ++j) {
            if (sx[j] > largest) largest = sx[j];
        }
        float inverse = largest > 0.0 ? exactDivide(float(SCALE_LEVELS), largest) : 0.0;
        watch(inverse);
        for (uint j = 0u; j < LANES; ++j) {
            F scaled = inverse * sx[j];
            sc[j] = nearestInt(scaled) & 255;
            if (SCALE_LEVELS == 63) sc[j] = min(63, sc[j]);
        }
        d = largest > 0.0 ? exactDivide(largest, float(SCALE_LEVELS)) : 0.0;
    }
    unit[block][kind] = f16Bits(d);
    for (uint j = 0u; j < LANES; ++j) scaleCodes[block][kind][j] = uint(sc[j]);
}

#if TYPE == 2
void packScales(uint block) {
    for (uint j = 0u; j < 16u; ++j) {
        uint both = (scaleCodes[block][0][j] | scaleCodes[block][1][j] << 4) & 255u;
        packed[block][j] = both;
        scaleCodes[block][0][j] = both & 15u;
        scaleCodes[block][1][j] = both >> 4;
    }
}
#else
void packScales(uint block) {
    uint bytes[12];
    for (uint j = 0u; j < 8u; ++j) {
        uint scale = scaleCodes[block][0][j], minimum = scaleCodes[block][1][j];
        if (j < 4u) {
            bytes[j] = scale;
            bytes[j + 4u] = minimum;
        } else {
            bytes[j + 4u] = (scale & 15u) | (minimum & 15u) << 4;
            bytes[j - 4u] = (bytes[j - 4u] | scale >> 4 << 6) & 255u;
            bytes[j] = (bytes[j] | minimum >> 4 << 6) & 255u;
        }
    }
    for (uint j = 0u; j < 12u; ++j) packed[block][j] = bytes[j];
    for (uint j = 0u; j < 8u; ++j) {
        scaleCodes[block][0][j] = j < 4u ? bytes[j] & 63u : (bytes[j + 4u] & 15u) | bytes[j - 4u] >> 6 << 4;
        scaleCodes[block][1][j] = j < 4u ? bytes[j + 4u] & 63u : bytes[j + 4u] >> 4 | bytes[j] >> 6 << 4;
    }
}
#endif

void finalCodes(AffineFit fit) {
    uint block = ownBlock();
    F d = f16Value(unit[block][0]) * float(scaleCodes[block][0][ownLane()]);
    F m = f16Value(unit[block][1]) * float(scaleCodes[block][1][ownLane()]);
    Divisor by = divisorOf(d);
    for (uint i = 0u; i < GROUP; ++i) {
        float x = element(ownLane() * GROUP + i);
        F above = x + m;
        int code = d != 0.0 ? clamp(nearestQuotient(above, d, by), 0, LEVELS) : affineCode(LEVELS, fit, x);
        setCode(i, uint(code));
    }
}

uint twoBits(uint block, uint at) {
    uint first = 128u * (at / 32u) + at % 32u;
    return codeAt(block, first) | codeAt(block, first + 32u) << 2 | codeAt(block, first + 64u) << 4 | codeAt(block, first + 96u) << 6;
}

uint nibbles(uint block, uint at) {
    uint first = 64u * (at / 32u) + at % 32u;
    return (codeAt(block, first) & 15u) | (codeAt(block, first + 32u) & 15u) << 4;
}

uint fifthBits(uint block, uint at) {
    uint bits = 0u;
    for (uint k = 0u; k < 8u; ++k) bits |= (codeAt(block, 32u * k + at) >> 4 & 1u) << k;
    return bits;
}

uint unitByte(uint block, uint at) { return unit[block][at / 2u] >> (8u * (at % 2u)); }

uint byteOf(uint block, uint at) {
#if TYPE == 2
    return at < 16u ? packed[block][at] : at < 80u ? twoBits(block, at - 16u) : unitByte(block, at - 80u);
#else
    if (at < 4u) return unitByte(block, at);
    if (at < 16u) return packed[block][at - 4u];
#if TYPE == 5
    if (at < 48u) return fifthBits(block, at - 16u);
    return nibbles(block, at - 48u);
#else
    return nibbles(block, at - 16u);
#endif
#endif
}

void main() {
    if (WEIGHTED) findMeanSquares(MEAN_FACTOR, 256.0);
    barrier();
    watchGroup();
    loadGroup();
    AffineFit fit;
    if (WEIGHTED) fit = fitAffine(LEVELS, weightedSearch, int(GROUP));
    else fit = fitAffine(LEVELS, plainSearch, int(GROUP));
    fitted[ownBlock()][0][ownLane()] = fit.scale;
    fitted[ownBlock()][1][ownLane()] = fit.minimum;
    report(ownBlock());
    barrier();
    uint at = gl_LocalInvocationID.x;
    if (at < 2u * BLOCKS) {
        quantizeScales(at / 2u, at % 2u);
        report(at / 2u);
    }
    barrier();
    if (at < BLOCKS) packScales(at);
    barrier();
    finalCodes(fit);
    barrier();
    writeBlocks();
}
