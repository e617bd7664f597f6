// SPDX-License-Identifier: MIT
// Floats and integers of one element each, and the floats of 8, 6 and 4 bits (core/tensor/half.h describes their codes).

uint decodeF64(uint at) {
    uint low = loadU32(at);
    uint high = loadU32(at + 4);
    uint sign = high & signBit;
    uint field = high >> 20 & 0x7FF;
    if (field == 0x7FF) {
        uint payload = (high & 0xFFFFF) << 3 | low >> 29;
        bool nan = (high & 0xFFFFF) != 0 || low != 0;
        return sign | infinityBits | (nan ? payload | 0x00400000u : 0u);
    }
    if (field == 0) return sign; // far below the least f32
    uint mantissa = (high & 0xFFFFF | 0x100000) << 11 | low >> 21;
    return roundedF32(sign, mantissa | uint((low & 0x1FFFFF) != 0), int(field) - 1023 - 31);
}

uint integerToF32(uint sign, uint high, uint low) {
    if (high == 0) return roundedF32(sign, low, 0);
    int shift = findMSB(high) + 1;
    uint rest = shift == 32 ? low : low << (32 - shift);
    uint mantissa = shift == 32 ? high : high << (32 - shift) | low >> shift;
    return roundedF32(sign, mantissa | uint(rest != 0), shift);
}

uint decodeI64(uint at) {
    uint low = loadU32(at);
    uint high = loadU32(at + 4);
    uint sign = high & signBit;
    if (sign != 0) {
        high = ~high + uint(low == 0);
        low = 0 - low;
    }
    return integerToF32(sign, high, low);
}

uint decodeU64(uint at) { return integerToF32(0, loadU32(at + 4), loadU32(at)); }

uint signedToF32(int value) { return roundedF32(uint(value) & signBit, value < 0 ? 0 - uint(value) : uint(value), 0); }
uint unsignedToF32(uint value) { return roundedF32(0, value, 0); }
uint decodeI16(uint at) { return signedToF32(int(loadU16(at) << 16) >> 16); }

uint decodeF8E4m3(uint code) { return (code & 0x7F) == 0x7F ? quietNan | (code & 0x80) << 24 : smallFloat(code, 4, 3, 7); }
uint decodeF8E5m2(uint code) { return f16ToF32(code << 8); }
uint decodeF8E4m3Fnuz(uint code) { return code == 0x80 ? quietNan : smallFloat(code, 4, 3, 8); }
uint decodeF8E5m2Fnuz(uint code) { return code == 0x80 ? quietNan : smallFloat(code, 5, 2, 16); }
uint decodeF8E8m0(uint code) { return code == 0xFF ? quietNan : (code == 0 ? 0x00400000u : code << 23); }

// Four 6-bit codes in three bytes, low bits first.
uint sixBits(uint block, uint element) {
    uint packed = loadU8(block) | loadU8(block + 1) << 8 | loadU8(block + 2) << 16;
    return packed >> (6 * element) & 63;
}

uint decodeF4(uint block, uint element) { return smallFloat(loadU8(block) >> (4 * element) & 15, 2, 1, 1); }
