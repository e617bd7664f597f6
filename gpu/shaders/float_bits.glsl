// SPDX-License-Identifier: MIT
// f32 numbers as their bits. A driver may flush subnormals, forget the sign of a zero and do as it likes with infinities and NaN;
// integers are safe from it. So everything here is integer arithmetic, except operations on normal numbers with normal results,
// which Vulkan rounds correctly.
#ifndef WB_FLOAT_BITS_GLSL
#define WB_FLOAT_BITS_GLSL

const uint signBit = 0x80000000u;
const uint infinityBits = 0x7F800000u;
const uint quietNan = 0x7FC00000u;
const uint blockNan = 0xFFC00000u; // every NaN of a block type, see core/tensor/half.h

uint magnitudeOf(uint bits) { return bits & 0x7FFFFFFFu; }
bool isFinite(uint bits) { return magnitudeOf(bits) < infinityBits; }

// A small float with these bits below its sign, whose exponent field 0 holds zero and subnormals; `code` is no infinity and no NaN.
uint smallFloat(uint code, uint exponentBits, uint mantissaBits, int bias) {
    uint mantissaMask = (1u << mantissaBits) - 1;
    uint sign = (code >> (exponentBits + mantissaBits) & 1) << 31;
    uint field = code >> mantissaBits & ((1u << exponentBits) - 1);
    uint mantissa = code & mantissaMask;
    int exponent = int(field) - bias;
    if (field == 0) {
        if (mantissa == 0) return sign;
        int shift = int(mantissaBits) - findMSB(mantissa);
        mantissa = mantissa << shift & mantissaMask;
        exponent = 1 - bias - shift;
    }
    return sign | uint(exponent + 127) << 23 | mantissa << (23 - mantissaBits);
}

uint f16ToF32(uint code) {
    if ((code & 0x7C00) != 0x7C00) return smallFloat(code, 5, 10, 15);
    uint payload = (code & 0x3FF) << 13;
    return (code & 0x8000) << 16 | infinityBits | payload | (payload != 0 ? 0x00400000u : 0u);
}

// The f16 nearest to a number, ties to even; infinity beyond the range.
uint f16Bits(float value) {
    uint bits = floatBitsToUint(value);
    uint sign = bits >> 16 & 0x8000u;
    uint magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return sign | 0x7e00u;
    if (magnitude >= 0x477ff000u) return sign | 0x7c00u;
    if (magnitude <= 0x33000000u) return sign;
    if (magnitude >= 0x38800000u) {
        uint rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u);
        return sign | (rounded - 0x38000000u) >> 13;
    }
    uint shift = 126u - (magnitude >> 23);
    uint mantissa = (magnitude & 0x7fffffu) | 0x800000u;
    uint half_ = 1u << (shift - 1u);
    return sign | (mantissa + half_ - 1u + (mantissa >> shift & 1u)) >> shift;
}

// mantissa · 2^exponent, rounded once to the nearest f32, ties to even, subnormals kept; `sign` is signBit or 0. A caller whose
// mantissa is wider than 32 bits sets the lowest bit for all that it omits.
uint roundedF32(uint sign, uint mantissa, int exponent) {
    if (mantissa == 0) return sign;
    int leading = findMSB(mantissa) + exponent;
    if (leading > 127) return sign | infinityBits;
    int unit = max(leading - 23, -149); // exponent of the last bit kept
    int dropped = unit - exponent;
    if (dropped > 32) return sign;
    uint kept = mantissa;
    if (dropped <= 0) kept = mantissa << -dropped;
    else {
        uint rest = dropped == 32 ? mantissa : mantissa << (32 - dropped); // what falls off, tie is signBit
        kept = dropped == 32 ? 0 : mantissa >> dropped;
        if (rest > signBit || (rest == signBit && (kept & 1) != 0)) ++kept;
    }
    return sign | (kept + (uint(unit + 149) << 23)); // a carry goes into the exponent, and from there into infinity, as it must
}

// value · 2^power where both are normal; zero, infinity and NaN stay.
uint timesPowerOfTwo(uint value, int power) {
    uint magnitude = magnitudeOf(value);
    return magnitude == 0 || magnitude >= infinityBits ? value : value + (uint(power) << 23);
}

// The operations of block types. Scales are f16 numbers, hence multiples of 2^-24, and codes are small integers: no result is
// subnormal. The sign of a zero and every NaN are those of the reference decoder.

// scale · n, for |n| < 2^24.
uint times(uint scale, int n) {
    uint magnitude = magnitudeOf(scale);
    uint sign = (scale ^ uint(n)) & signBit;
    if (magnitude >= infinityBits) return magnitude > infinityBits || n == 0 ? blockNan : sign | infinityBits;
    precise float product = uintBitsToFloat(magnitude) * float(abs(n));
    return sign | floatBitsToUint(product);
}

// a - b.
uint minus(uint a, uint b) {
    if (!isFinite(a) || !isFinite(b)) {
        if (magnitudeOf(a) > infinityBits || magnitudeOf(b) > infinityBits || a == b) return blockNan;
        return isFinite(b) ? a : b ^ signBit;
    }
    if (magnitudeOf(b) == 0) return magnitudeOf(a) == 0 && (a == 0 || b != 0) ? 0 : a;
    if (magnitudeOf(a) == 0) return b ^ signBit;
    if (a == b) return 0;
    precise float difference = uintBitsToFloat(a) - uintBitsToFloat(b);
    return floatBitsToUint(difference);
}

uint plus(uint a, uint b) { return minus(a, b ^ signBit); }

#endif
