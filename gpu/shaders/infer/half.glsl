// SPDX-License-Identifier: MIT
// Floats of 16 bits as f32, without a subnormal f32 on the way, which devices may flush; the built-in functions may flush subnormal
// f16 numbers too. f16Bits is the inverse.
#ifndef WB_INFER_HALF_GLSL
#define WB_INFER_HALF_GLSL
#include "float_bits.glsl"

float halfToFloat(uint code) {
    uint magnitude = code & 0x7FFFu;
    float value = uintBitsToFloat((magnitude << 13) + 0x38000000u);
    if (magnitude < 0x0400u) value = float(magnitude) * 5.9604644775390625e-8; // 2^-24
    if (magnitude >= 0x7C00u) value = uintBitsToFloat(0x7F800000u | (magnitude & 0x3FFu) << 13);
    return (code & 0x8000u) != 0u ? -value : value;
}

float bfloatToFloat(uint code) { return uintBitsToFloat(code << 16); }

#endif
