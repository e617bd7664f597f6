// SPDX-License-Identifier: MIT
// Little-endian numbers at byte addresses of a buffer of words. The includer defines WB_WORD(i) as word i of that buffer.

uint loadU8(uint at) { return WB_WORD(at >> 2) >> (8 * (at & 3)) & 255; }

int loadI8(uint at) { return int(loadU8(at) << 24) >> 24; }

// `at` must be even.
uint loadU16(uint at) { return WB_WORD(at >> 2) >> (8 * (at & 2)) & 0xFFFF; }

// `at` must be even; no word beyond the number is touched.
uint loadU32(uint at) {
    uint low = WB_WORD(at >> 2);
    if ((at & 2) == 0) return low;
    return low >> 16 | WB_WORD((at >> 2) + 1) << 16;
}
