// SPDX-License-Identifier: MIT
// Super-blocks of 256: Q2_K … Q8_K and TQ2_0. Layouts: core/tensor/block_layout.h. Scales are multiplied one after the other, as
// the reference decoder does, because a zero has the sign of that order.

uint twoBits(uint codes, uint i) { return loadU8(codes + 32 * (i / 128) + i % 32) >> (2 * (i / 32 % 4)) & 3; }
uint nibble64(uint codes, uint i) { return loadU8(codes + 32 * (i / 64) + i % 32) >> (4 * (i / 32 % 2)) & 15; }
uint oneBit(uint bits, uint i) { return loadU8(bits + i % 32) >> (i / 32) & 1; }

uint decodeQ2_K(uint block, uint i) {
    uint packed = loadU8(block + i / 16);
    uint scale = times(loadF16(block + 80), int(packed & 15));
    uint minimum = times(loadF16(block + 82), int(packed >> 4));
    return minus(times(scale, int(twoBits(block + 16, i))), minimum);
}

// Scale j of sixteen in 12 bytes: low nibbles in bytes 0-7 (the upper ones are scales 8-15), pairs of high bits in bytes 8-11.
int scaleQ3(uint scales, uint j) {
    uint low = loadU8(scales + j % 8) >> (4 * (j / 8)) & 15;
    uint high = loadU8(scales + 8 + j % 4) >> (2 * (j / 4)) & 3;
    return int(low | high << 4) - 32;
}

uint decodeQ3_K(uint block, uint i) {
    int code = int(twoBits(block + 32, i)) - (oneBit(block, i) != 0 ? 0 : 4);
    return times(times(loadF16(block + 108), scaleQ3(block + 96, i / 16)), code);
}

// Scale and minimum j of eight in 12 bytes, as 6-bit numbers: x and y.
uvec2 scales6(uint scales, uint j) {
    if (j < 4) return uvec2(loadU8(scales + j) & 63, loadU8(scales + 4 + j) & 63);
    uint low = loadU8(scales + 4 + j);
    return uvec2(low & 15 | loadU8(scales + j - 4) >> 6 << 4, low >> 4 | loadU8(scales + j) >> 6 << 4);
}

uint decodeScaled6(uint block, uint i, uint code) {
    uvec2 packed = scales6(block + 4, i / 32);
    uint scale = times(loadF16(block), int(packed.x));
    uint minimum = times(loadF16(block + 2), int(packed.y));
    return minus(times(scale, int(code)), minimum);
}

uint decodeQ4_K(uint block, uint i) { return decodeScaled6(block, i, nibble64(block + 16, i)); }
uint decodeQ5_K(uint block, uint i) { return decodeScaled6(block, i, nibble64(block + 48, i) | oneBit(block + 16, i) << 4); }

uint decodeQ6_K(uint block, uint i) {
    uint low = loadU8(block + 64 * (i / 128) + i % 64) >> (4 * (i / 64 % 2)) & 15;
    int code = int(low | twoBits(block + 128, i) << 4) - 32;
    return times(times(loadF16(block + 208), loadI8(block + 192 + i / 16)), code);
}

// The scale is any f32, so the product is rounded here.
uint decodeQ8_K(uint block, uint i) {
    uint d = loadU32(block);
    int code = loadI8(block + 4 + i);
    if (!isFinite(d)) return times(d, code);
    uint field = d >> 23 & 255;
    uint mantissa = field == 0 ? d & 0x7FFFFF : d & 0x7FFFFF | 0x800000;
    return roundedF32((d ^ uint(code)) & signBit, mantissa * uint(abs(code)), max(int(field), 1) - 150);
}

uint decodeTQ2_0(uint block, uint i) { return times(loadF16(block + 64), int(twoBits(block, i)) - 1); }
