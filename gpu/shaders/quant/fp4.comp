// SPDX-License-Identifier: MIT
#version 450
// MXFP4 and NVFP4 (core/quant/kernels/encode_fp4.cpp). TYPE is 1 for MXFP4, one invocation a block of 32, and 2 for NVFP4, one invocation a
// run of 16 with its own scale. For MXFP4 the table holds the least float of each binade whose rounded logarithm is the next integer.
#if TYPE == 1
#define BLOCK_ELEMENTS 32u
#define BLOCK_BYTES 17u
#define LANES 1u
#else
#define BLOCK_ELEMENTS 64u
#define BLOCK_BYTES 36u
#define LANES 4u
#endif
#include "frame.glsl"
#include "codes.glsl"

shared uint scales[64];

const int levels[16] = int[16](0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12);

uint nearestLevel(float x, float scale) {
    uint best = 0u;
    float bestError = abs(x);
    for (uint code = 1u; code < 16u; ++code) {
        F error = float(levels[code]) * scale - x;
        if (abs(error) < bestError) {
            best = code;
            bestError = abs(error);
        }
    }
    return best;
}

int floorLog2Rounded(uint bits) {
    uint significand;
    int exponent = splitFloat(bits, significand);
    return bits >= tables.words[exponent + 149] ? exponent + 1 : exponent;
}

uint scaleCode(float largest) {
#if TYPE == 1
    return floatBitsToUint(largest) != 0u ? uint(floorLog2Rounded(floatBitsToUint(largest)) - 2 + 127) & 255u : 0u;
#else
    float x = exactDivide(largest, 6.0);
    if (!(x > 0.0)) return 0u;
    x = min(x, 448.0);
    uint bits = floatBitsToUint(x);
    int exponent = int(bits >> 23) - 127 + 7;
    if (exponent <= 0) {
        F units = 512.0 * x + 0.5;
        return uint(min(7, int(units)));
    }
    if (exponent >= 15) return 126u;
    uint mantissa = (bits >> 20 & 7u) + (bits >> 19 & 1u);
    if (mantissa < 8u) return uint(exponent) << 3 | mantissa;
    return exponent + 1 >= 15 ? 126u : uint(exponent + 1) << 3;
#endif
}

// Half of the code's value: the levels are stored doubled.
float scaleValue(uint code) {
#if TYPE == 1
    return uintBitsToFloat(code < 2u ? 0x00200000u << code : (code - 1u) << 23);
#else
    if (code == 127u || code == 0u) return 0.0;
    uint field = code >> 3, mantissa = code & 7u;
    if (field != 0u) return uintBitsToFloat((field + 127u - 8u) << 23 | mantissa << 20);
    return float(mantissa) * 0.0009765625; // 2^-10
#endif
}

uint byteOf(uint block, uint at) {
    if (at < LANES) return scales[block * LANES + at];
    at -= LANES;
    const uint half_ = GROUP / 2u;
    uint first = at / half_ * GROUP + at % half_;
    return codeAt(block, first) | codeAt(block, first + half_) << 4;
}

// Rules 1, 4 and 5 do: the scale is zero or within a few powers of two of the largest magnitude, so an element differs from a level by zero or by
// far more than 2^-126. (Where all elements are zero the scale of MXFP4 is subnormal, and no level is nearer than 0 still.)
void main() {
    watchGroup();
    report(ownBlock());
    uint largest = 0u; // magnitudes compare as integers
    for (uint i = 0u; i < GROUP; ++i) largest = max(largest, floatBitsToUint(element(ownLane() * GROUP + i)) & 0x7fffffffu);
    uint code = scaleCode(uintBitsToFloat(largest));
    scales[gl_LocalInvocationID.x] = code;
    float scale = scaleValue(code);
    for (uint i = 0u; i < GROUP; ++i) {
        setCode(i, nearestLevel(element(ownLane() * GROUP + i), scale));
    }
    barrier();
    writeBlocks();
}
