// SPDX-License-Identifier: MIT
// The steps whose bits have to be the CPU's: a product and a sum rounded once, and e^x. Twins: std::fma, and exponential() and
// gated() of core/infer/cpu/exact.h. The includer defines FUSES, whether the device's own fma() rounds once
// (Device::fusesMultiplyAdd), and is compiled as EXACT.
#ifndef WB_INFER_EXACT_STEPS_GLSL
#define WB_INFER_EXACT_STEPS_GLSL
#include "exact.glsl"

// The nearer part of a sum, and what the rounding left.
vec2 sumAndRest(float a, float b) {
    precise float sum = a + b;
    precise float other = sum - a;
    precise float rest = (a - (sum - other)) + (b - other);
    return vec2(sum, rest);
}

// The same of a product: halves of 12 bits, whose products are exact.
vec2 productAndRest(float a, float b) {
    precise float product = a * b;
    float aHigh = uintBitsToFloat(floatBitsToUint(a) & 0xFFFFF000u), bHigh = uintBitsToFloat(floatBitsToUint(b) & 0xFFFFF000u);
    precise float aLow = a - aHigh, bLow = b - bHigh;
    precise float rest = ((aHigh * bHigh - product) + aHigh * bLow + aLow * bHigh) + aLow * bLow;
    return vec2(product, rest);
}

// a + b rounded to odd: where it is not exact, the neighbor whose last bit is set. What is rounded again after it becomes
// what one rounding would have made of it.
float sumToOdd(float a, float b) {
    vec2 sum = sumAndRest(a, b);
    uint bits = floatBitsToUint(sum.x);
    if (sum.y != 0.0 && (bits & 1u) == 0u) bits += (sum.y > 0.0) == (sum.x > 0.0) ? 1u : 0xFFFFFFFFu;
    return uintBitsToFloat(bits);
}

// a · b + c, rounded once (S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums", 2008), where the rest of the
// product is no subnormal number.
float fused(float a, float b, float c) {
    if (FUSES) {
        precise float own = fma(a, b, c);
        return own;
    }
    vec2 product = productAndRest(a, b);
    vec2 low = sumAndRest(c, product.y);
    vec2 high = sumAndRest(product.x, low.x);
    precise float sum = high.x + sumToOdd(low.y, high.y);
    precise float plain = product.x + c;
    return abs(product.x) + abs(c) < 1.0e38 ? sum : plain;
}

// For x between -87 and 88.
float exponential(float x) {
    precise float scaled = x * 1.44269504;
    float n = roundEven(scaled);
    float r = fused(n, 2.12194440e-4, fused(n, -0.693359375, x));
    float p = fused(1.9875691500e-4, r, 1.3981999507e-3);
    p = fused(p, r, 8.3334519073e-3);
    p = fused(p, r, 4.1665795894e-2);
    p = fused(p, r, 1.6666665459e-1);
    p = fused(p, r, 5.0000001201e-1);
    precise float square = r * r;
    precise float y = fused(p, square, r) + 1.0;
    return uintBitsToFloat(floatBitsToUint(y) + (uint(int(n)) << 23));
}

// x / (1 + e^-x).
float gated(float x) {
    precise float below = 1.0 + exponential(clamp(-x, -87.0, 88.0));
    return exactDivide(x, below);
}

#endif
