// SPDX-License-Identifier: MIT
// The steps whose bits have to be the CPU's: a product and a sum rounded once, and e^x. Twins: std::fma, exponential() and
// gated() of core/infer/cpu/kernels/exact.h, and for activations core/infer/cpu/kernels/rows_simd.cpp. The includer defines FUSES, whether the device's own fma() rounds once
// (Device::fusesMultiplyAdd), and is compiled as EXACT.
#ifndef WB_INFER_EXACT_STEPS_GLSL
#define WB_INFER_EXACT_STEPS_GLSL
#include "exact.glsl"
#include "infer/batch.h"

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

// x / (1 + e^-slope).
float gated(float x, float slope) {
    precise float below = 1.0 + exponential(clamp(-slope, -87.0, 88.0));
    return exactDivide(x, below);
}

// ln(1 + e^x). Twin: softplus() of core/infer/cpu/kernels/exact.h.
float softplus(float x) {
    float u = exponential(max(-abs(x), -87.0));
    precise float below = 2.0 + u;
    float s = exactDivide(u, below);
    precise float square = s * s;
    float p = fused(0.06666666667, square, 0.07692307692);
    p = fused(p, square, 0.09090909091);
    p = fused(p, square, 0.11111111111);
    p = fused(p, square, 0.14285714286);
    p = fused(p, square, 0.2);
    p = fused(p, square, 0.33333333333);
    p = fused(p, square, 1.0);
    precise float twice = 2.0 * s;
    return fused(twice, p, max(x, 0.0));
}

// e^(rate * step).
float decayed(float rate, float step) {
    precise float power = rate * step;
    return exponential(clamp(power, -87.0, 88.0));
}

// 0.5 x (1 + tanh(u)) = x / (1 + e^-2u) with u = sqrt(2/pi) (x + 0.044715 x³).
float geluTanh(float x) {
    precise float square = x * x;
    precise float twice = 1.5957691216 * x;
    precise float slope = twice * fused(square, 0.044715, 1.0);
    return gated(x, slope);
}

// act(gate) * up.
float activated(uint type, float gate, float up) {
    if (type == WB_CLAMPED_SWIGLU) {
        float x = min(gate, 7.0);
        precise float slope = 1.702 * x;
        precise float opened = clamp(up, -7.0, 7.0) + 1.0;
        precise float clamped = gated(x, slope) * opened;
        return clamped;
    }
    float act = max(gate, 0.0);
    if (type == WB_SILU) act = gated(gate, gate);
    if (type == WB_GELU_TANH) act = geluTanh(gate);
    if (type == WB_RELU_SQUARED) {
        precise float square = act * act;
        act = square;
    }
    precise float product = act * up;
    return product;
}

// cap * tanh(value / cap), within some units of the last place (the polynomial is tanhf's of the Cephes library, S. L. Moshier).
float softcapped(float value, float cap) {
    float y = value / cap, size = abs(y);
    if (size > 0.625) return sign(y) * cap * (1.0 - 2.0 / (exponential(min(2.0 * size, 87.0)) + 1.0));
    float z = y * y;
    float p = (((-5.70498872745e-3 * z + 2.06390887954e-2) * z - 5.37397155531e-2) * z + 1.33314422036e-1) * z - 3.33332819422e-1;
    return cap * (y + y * z * p);
}

#endif
