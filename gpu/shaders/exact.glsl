// SPDX-License-Identifier: MIT
// Division and square root as IEEE 754 has them: rounded to nearest, ties to even, subnormals kept. Vulkan allows 2.5 units of error for
// the first and more for the second, which would change bytes of a file. Long division on the significands is slow and right everywhere.
#ifndef EXACT_GLSL
#define EXACT_GLSL

#include "float_bits.glsl"

// The float nearest to sign · (q + (sticky ? a bit less than 1 : 0)) · 2^(exponent - 25), for q in [2^25, 2^26), whose lowest bit always
// falls off.
float roundedFloat(uint sign, int exponent, uint q, bool sticky) {
    return uintBitsToFloat(roundedF32(sign, q | uint(sticky), exponent - 25));
}

// Splits a finite number that is not zero: its magnitude is significand · 2^(result - 23), with the significand in [2^23, 2^24).
int splitFloat(uint bits, out uint significand) {
    uint magnitude = bits & 0x7fffffffu;
    if (magnitude >= 0x00800000u) {
        significand = (magnitude & 0x007fffffu) | 0x00800000u;
        return int(magnitude >> 23) - 127;
    }
    int top = findMSB(magnitude);
    significand = magnitude << (23 - top);
    return top - 149;
}

float exactDivide(float a, float b) {
    uint ab = floatBitsToUint(a), bb = floatBitsToUint(b);
    uint sign = (ab ^ bb) & 0x80000000u;
    uint am = ab & 0x7fffffffu, bm = bb & 0x7fffffffu;
    if (am > 0x7f800000u || bm > 0x7f800000u || (am == 0u && bm == 0u) || (am == 0x7f800000u && bm == am)) return uintBitsToFloat(0x7fc00000u);
    if (am == 0x7f800000u || bm == 0u) return uintBitsToFloat(sign | 0x7f800000u);
    if (bm == 0x7f800000u || am == 0u) return uintBitsToFloat(sign);
    uint x, y;
    int exponent = splitFloat(ab, x) - splitFloat(bb, y);
    if (x < y) {
        x <<= 1;
        exponent -= 1;
    }
    uint q = 1u, rest = x - y;
    for (int bit = 0; bit < 25; ++bit) {
        rest <<= 1;
        q <<= 1;
        if (rest >= y) {
            rest -= y;
            q |= 1u;
        }
    }
    return roundedFloat(sign, exponent, q, rest != 0u);
}

float exactSqrt(float a) {
    uint bits = floatBitsToUint(a);
    if ((bits & 0x7fffffffu) == 0u || bits == 0x7f800000u) return a;
    if ((bits & 0x80000000u) != 0u || bits > 0x7f800000u) return uintBitsToFloat(0x7fc00000u);
    uint x;
    int exponent = splitFloat(bits, x);
    if ((exponent & 1) != 0) {
        x <<= 1;
        exponent -= 1;
    }
    // Two bits of x · 2^27 a step, from the top; rest < 2 · root + 1 always, so nothing overflows.
    uint root = 0u, rest = 0u;
    for (int at = 0; at < 26; ++at) {
        uint pair = at < 12 ? (x >> (23 - 2 * at)) & 3u : at == 12 ? (x & 1u) << 1 : 0u;
        rest = (rest << 2) | pair;
        uint trial = (root << 2) | 1u;
        root <<= 1;
        if (rest >= trial) {
            rest -= trial;
            root |= 1u;
        }
    }
    return roundedFloat(0u, exponent / 2, root, rest != 0u);
}

#endif
