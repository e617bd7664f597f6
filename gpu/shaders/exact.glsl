// SPDX-License-Identifier: MIT
// Division and square root as IEEE 754 has them: rounded to nearest, ties to even, subnormals kept. Vulkan allows 2.5 units of error for
// the first and more for the second, which would change bytes of a file. So the device's own result is only the first guess at the integer
// quotient or root of the significands, a few units off: the remainder, exact because it fits 32 bits, corrects it.
// What may be subnormal passes as bits: even abs() of a float may flush it. The forms that take floats are for numbers that were loaded or
// computed as such, and only move them.
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

// What every division by the same number shares.
struct Divisor {
    uint bits;
    uint significand;
    int exponent;
    float reciprocal; // of the significand, nearly
};

Divisor divisorOfBits(uint bits) {
    Divisor by;
    by.bits = bits;
    by.exponent = splitFloat(by.bits, by.significand);
    by.reciprocal = 1.0 / float(by.significand);
    return by;
}

Divisor divisorOf(float b) { return divisorOfBits(floatBitsToUint(b)); }

// Zero, infinity or NaN by anything, or anything by them.
uint divideSpecial(uint sign, uint a, uint b) {
    if (a > infinityBits || b > infinityBits || a == b) return quietNan;
    return sign | (a == infinityBits || b == 0u ? infinityBits : 0u);
}

uint exactDivideBits(uint a, Divisor by) {
    uint sign = (a ^ by.bits) & signBit;
    uint am = magnitudeOf(a), bm = magnitudeOf(by.bits);
    if (am - 1u >= infinityBits - 1u || bm - 1u >= infinityBits - 1u) return divideSpecial(sign, am, bm);
    uint x;
    int exponent = splitFloat(am, x) - by.exponent;
    bool below = x < by.significand;
    exponent -= int(below);
    // The integer nearest to x · 2^23 / y, or 2^24 where x is below y; a tie cannot be.
    int y = int(by.significand);
    uint q = uint(float(x) * by.reciprocal * (below ? 16777216.0 : 8388608.0));
    int rest = int((x << (below ? 24 : 23)) - q * by.significand);
    int missing = int(floor(float(rest) * by.reciprocal + 0.5));
    q += uint(missing);
    rest -= missing * y;
    if (2 * rest > y) {
        ++q;
        rest -= y;
    } else if (2 * rest < -y) {
        --q;
        rest += y;
    }
    if (exponent > 127) return sign | infinityBits;
    if (exponent >= -126) return sign | ((uint(exponent + 126) << 23) + q);
    // Subnormal: rounded once, from the full quotient.
    uint exact = (rest < 0 ? q - 1u : q) << 1 | uint(rest != 0);
    uint shift = min(uint(-125 - exponent), 31u);
    return sign | (exact + (1u << (shift - 1u)) - 1u + (exact >> shift & 1u)) >> shift;
}

float exactDivide(float a, Divisor by) { return uintBitsToFloat(exactDivideBits(floatBitsToUint(a), by)); }
float exactDivide(float a, float b) { return exactDivide(a, divisorOf(b)); }

uint exactSqrtBits(uint bits) {
    if (magnitudeOf(bits) == 0u || bits == infinityBits) return bits;
    if (bits > infinityBits) return quietNan;
    uint x;
    int exponent = splitFloat(bits, x);
    if ((exponent & 1) != 0) {
        x <<= 1;
        exponent -= 1;
    }
    // The integer nearest to sqrt(x · 2^23); a tie cannot be.
    uint root = uint(sqrt(float(2u * x)) * 2048.0);
    int rest = int((x << 23) - root * root);
    int missing = int(floor(float(rest) / float(2u * root) + 0.5));
    rest -= missing * (2 * int(root) + missing);
    root += uint(missing);
    if (rest > int(root)) ++root;
    else if (rest <= -int(root)) --root;
    return (uint(exponent / 2 + 126) << 23) + root;
}

float exactSqrt(float a) { return uintBitsToFloat(exactSqrtBits(floatBitsToUint(a))); }

#endif
