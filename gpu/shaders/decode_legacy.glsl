// SPDX-License-Identifier: MIT
// Blocks with one scale: Q4_0 … Q8_1, Q1_0, Q2_0, the ternary types, the fp4 types and IQ4_NL. Layouts: core/tensor/block_layout.h.

uint loadF16(uint at) { return f16ToF32(loadU16(at)); }

// The nibble of element `i` of 2 · `half_`: the low halves of the bytes come first.
int nibbleOf(uint codes, uint i, uint half_) { return int(loadU8(codes + i % half_) >> (4 * (i / half_)) & 15); }

int fifthBit(uint high, uint i) { return int(loadU8(high + i / 8) >> (i % 8) & 1) << 4; }

uint decodeQ4_0(uint block, uint i) { return times(loadF16(block), nibbleOf(block + 2, i, 16) - 8); }
uint decodeQ4_1(uint block, uint i) { return plus(times(loadF16(block), nibbleOf(block + 4, i, 16)), loadF16(block + 2)); }
uint decodeQ5_0(uint block, uint i) {
    return times(loadF16(block), (nibbleOf(block + 6, i, 16) | fifthBit(block + 2, i)) - 16);
}
uint decodeQ5_1(uint block, uint i) {
    return plus(times(loadF16(block), nibbleOf(block + 8, i, 16) | fifthBit(block + 4, i)), loadF16(block + 2));
}
uint decodeQ8_0(uint block, uint i) { return times(loadF16(block), loadI8(block + 2 + i)); }
uint decodeQ8_1(uint block, uint i) { return times(loadF16(block), loadI8(block + 4 + i)); }

uint decodeQ1_0(uint block, uint i) {
    uint d = loadF16(block);
    if (magnitudeOf(d) > infinityBits) return blockNan;
    return (loadU8(block + 2 + i / 8) >> (i % 8) & 1) != 0 ? d : d ^ signBit;
}
uint decodeQ2_0(uint block, uint i) { return times(loadF16(block), int(loadU8(block + 2 + i / 4) >> (2 * (i % 4)) & 3) - 1); }

// The trits of a byte are the digits of the fraction byte/256 in base 3. 240 elements are five to a byte, in runs of 32 bytes
// and of 16 bytes, the last 16 four to a byte.
uint decodeTQ1_0(uint block, uint i) {
    uint first = 0, width = 32, inRun = i;
    if (i >= 240) first = 48, width = 4, inRun = i - 240;
    else if (i >= 160) first = 32, width = 16, inRun = i - 160;
    uint power = 1;
    for (uint n = inRun / width; n > 0; --n) power *= 3;
    uint byteValue = loadU8(block + first + inRun % width);
    return times(loadF16(block + 52), int((byteValue * power & 255) * 3 >> 8) - 1);
}

// The doubled E2M1 levels; minus zero is zero.
int fp4Level(int code) {
    int magnitude = int(0xC8643210u >> (4 * (code & 7)) & 15);
    return (code & 8) != 0 ? -magnitude : magnitude;
}

// The scale is 2^(code - 128), which may be subnormal.
uint decodeMXFP4(uint block, uint i) {
    int level = fp4Level(nibbleOf(block + 1, i, 16));
    return roundedF32(uint(level) & signBit, uint(abs(level)), int(loadU8(block)) - 128);
}

uint decodeNVFP4(uint block, uint i) {
    uint sub = i / 16;
    uint code = loadU8(block + sub);
    uint scale = code == 0x7F ? 0 : smallFloat(code & 0x7F, 4, 3, 8);
    return times(scale, fp4Level(nibbleOf(block + 4 + 8 * sub, i % 16, 8)));
}
