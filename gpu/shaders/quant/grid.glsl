// SPDX-License-Identifier: MIT
// A grid of core/quant/grid.h in the table buffer: the number of codes and of points, then for each code its point, or -1 - the place of
// its neighbours; the code of each point; the lists of neighbours (count, then points), each entry a word. DIGITS digits of DIGIT_BITS.
const uint DIGIT_MASK = (1u << DIGIT_BITS) - 1u;

int mapOf(uint code) { return int(tables.words[2u + code]); }
uint codeOfPoint(uint point) { return tables.words[2u + tables.words[0] + point]; }
uint listWord(uint at) { return tables.words[2u + tables.words[0] + tables.words[1] + at]; }
uint digit(uint code, uint i) { return code >> (DIGIT_BITS * i) & DIGIT_MASK; }
