// SPDX-License-Identifier: MIT
// Division and square root as IEEE 754 has them: rounded to nearest, ties to even, subnormals kept. Vulkan allows 2.5 units of error for
// the first and more for the second, which would change bytes of a file. So the device's own result is only the first guess at an integer
// quotient or root of the significands, a few units off: what is left over, exact because it needs less than 32 bits, corrects it.
#ifndef EXACT_GLSL
#define EXACT_GLSL

#include "float_bits.glsl"

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
    // The integer part of x · 2^25 / y, in [2^25, 2^26).
    float below = float(y);
    uint q = uint(float(x) / below * 33554432.0);
    int rest = int((x << 25) - q * y);
    int missing = int(floor(float(rest) / below));
    q += uint(missing);
    rest -= missing * int(y);
    if (rest < 0) {
        --q;
        rest += int(y);
    } else if (rest >= int(y)) {
        ++q;
        rest -= int(y);
    }
    return uintBitsToFloat(roundedF32(sign, q | uint(rest != 0), exponent - 25));
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
    // The integer part of sqrt(x · 2^25), in [2^24, 2^25).
    uint root = uint(sqrt(float(2u * x)) * 4096.0);
    int rest = int((x << 25) - root * root);
    int missing = int(floor(float(rest) / float(2u * root)));
    rest -= missing * (2 * int(root) + missing);
    root += uint(missing);
    if (rest < 0) {
        --root;
        rest += 2 * int(root) + 1;
    } else if (rest > 2 * int(root)) {
        rest -= 2 * int(root) + 1;
        ++root;
    }
    return uintBitsToFloat(roundedF32(0u, root << 1 | uint(rest != 0), exponent / 2 - 25));
}

#endif
