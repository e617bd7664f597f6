// SPDX-License-Identifier: MIT
// Numbers brought near 1 before they are squared and summed, so that nothing overflows or vanishes. Include float_bits.glsl first.

// floor(log2(magnitude)); `magnitude` is not zero.
int exponentOf(uint magnitude) { return magnitude < 0x00800000u ? findMSB(magnitude) - 149 : int(magnitude >> 23) - 127; }

// A finite value times 2^-exponent, without the help of the FPU, which may not know subnormals. What becomes too small is zero.
float scaled(uint bits, int exponent) {
    uint magnitude = magnitudeOf(bits);
    int shift = -exponent;
    if (magnitude < 0x00800000u) {
        magnitude = floatBitsToUint(float(magnitude));
        shift -= 149;
    }
    if (magnitude == 0 || int(magnitude >> 23) + shift <= 0) return 0;
    return uintBitsToFloat(bits & signBit | magnitude + (uint(shift) << 23));
}
