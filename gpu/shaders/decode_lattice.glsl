// SPDX-License-Identifier: MIT
// Types whose codes are points of a table: IQ1_S … IQ4_XS. Layouts: core/tensor/block_layout.h; the tables' places: decode_tables.h.
// All factors are small integers and powers of two, so that no product is rounded and their order does not matter.

int tableByte(uint firstWord, uint index) { return int(WB_TABLE(firstWord + index / 4) << (24 - 8 * (index % 4))) >> 24; }

// Entry `code` of 128 sign bytes: the code, and bit 7 so that the number of set bits is even.
uint signsOf(uint code) { return code | uint(bitCount(code) & 1) << 7; }

// Element `i` of a point, with bit `i` of `signs` as its sign.
int signedCoordinate(uint grid, uint byteIndex, uint signs, uint i) {
    int coordinate = tableByte(grid, byteIndex);
    return (signs >> i & 1) != 0 ? -coordinate : coordinate;
}

// The 4-bit scale of group of eight `g` where one byte serves 32 elements.
uint scaleNibble(uint scales, uint g) { return loadU8(scales + g / 4) >> (4 * (g / 2 % 2)) & 15; }

// d · (1/2 + code) / 4 and d · (1/2 + code) / 2.
uint scaleIq2(uint d, uint code) { return timesPowerOfTwo(times(d, int(2 * code + 1)), -3); }
uint scaleIq3(uint d, uint code) { return timesPowerOfTwo(times(d, int(2 * code + 1)), -2); }

uint decodeIQ2_XXS(uint block, uint i) {
    uint g = i / 8;
    uint group = block + 2 + 8 * (g / 4);
    uint tail = loadU32(group + 4);
    uint index = loadU8(group + g % 4);
    uint signs = signsOf(tail >> (7 * (g % 4)) & 127);
    return times(scaleIq2(loadF16(block), tail >> 28), signedCoordinate(WB_GRID_IQ2_XXS, 8 * index + i % 8, signs, i % 8));
}

uint decodeIQ2_XS(uint block, uint i) {
    uint g = i / 8;
    uint group = loadU16(block + 2 + 2 * g);
    uint scale = scaleIq2(loadF16(block), scaleNibble(block + 66, g));
    return times(scale, signedCoordinate(WB_GRID_IQ2_XS, 8 * (group & 511) + i % 8, signsOf(group >> 9), i % 8));
}

uint decodeIQ2_S(uint block, uint i) {
    uint g = i / 8;
    uint high = loadU8(block + 66 + g / 4) >> (2 * (g % 4)) & 3;
    uint index = loadU8(block + 2 + g) | high << 8;
    uint scale = scaleIq2(loadF16(block), scaleNibble(block + 74, g));
    return times(scale, signedCoordinate(WB_GRID_IQ2_S, 8 * index + i % 8, loadU8(block + 34 + g), i % 8));
}

uint decodeIQ3_XXS(uint block, uint i) {
    uint g = i / 4;
    uint tail = loadU32(block + 66 + 4 * (g / 8));
    uint signs = signsOf(tail >> (7 * (g / 2 % 4)) & 127);
    uint index = loadU8(block + 2 + g);
    return times(scaleIq3(loadF16(block), tail >> 28), signedCoordinate(WB_GRID_IQ3_XXS, 4 * index + i % 4, signs, i % 8));
}

uint decodeIQ3_S(uint block, uint i) {
    uint g = i / 4;
    uint code = loadU8(block + 106 + g / 16) >> (4 * (g / 8 % 2)) & 15;
    uint index = loadU8(block + 2 + g) | (loadU8(block + 66 + g / 8) >> (g % 8) & 1) << 8;
    uint scale = times(loadF16(block), int(1 + 2 * code));
    return times(scale, signedCoordinate(WB_GRID_IQ3_S, 4 * index + i % 4, loadU8(block + 74 + g / 2), i % 8));
}

// A ternary coordinate moved by an eighth, times scale.
uint shiftedPoint(uint scale, uint index, uint i, bool negative) {
    int eighths = 8 * tableByte(WB_GRID_IQ1, 8 * index + i % 8) + (negative ? -1 : 1);
    return times(timesPowerOfTwo(scale, -3), eighths);
}

uint decodeIQ1_S(uint block, uint i) {
    uint g = i / 8;
    uint tail = loadU16(block + 34 + 2 * (g / 4));
    uint index = loadU8(block + 2 + g) | (tail >> (3 * (g % 4)) & 7) << 8;
    return shiftedPoint(times(loadF16(block), int(2 * (tail >> 12 & 7) + 1)), index, i, tail >> 15 != 0);
}

// The f16 scale is spread over the top nibbles of the four scale words.
uint decodeIQ1_M(uint block, uint i) {
    uint d = 0;
    for (uint k = 0; k < 4; ++k) d |= loadU16(block + 48 + 2 * k) >> 12 << (4 * k);
    uint g = i / 8;
    uint high = loadU8(block + 32 + g / 2) >> (4 * (g % 2));
    uint index = loadU8(block + g) | (high & 7) << 8;
    uint code = loadU16(block + 48 + 2 * (g / 8)) >> (3 * (g / 2 % 4)) & 7;
    return shiftedPoint(times(f16ToF32(d), int(2 * code + 1)), index, i, (high & 8) != 0);
}

uint decodeIQ4_NL(uint block, uint i) { return times(loadF16(block), tableByte(WB_LEVELS_IQ4, nibbleOf(block + 2, i, 16))); }

uint decodeIQ4_XS(uint block, uint i) {
    uint b = i / 32;
    uint low = loadU8(block + 4 + b / 2) >> (4 * (b % 2)) & 15;
    uint high = loadU16(block + 2) >> (2 * b) & 3;
    uint scale = times(loadF16(block), int(low | high << 4) - 32);
    return times(scale, tableByte(WB_LEVELS_IQ4, nibbleOf(block + 8 + 16 * b, i % 32, 16)));
}
