// SPDX-License-Identifier: MIT
// A grid of core/quant/kernels/grid.h in the table buffer, made by gpu/quant/tables.cpp; DIGITS digits of DIGIT_BITS. For every code a word that
// tells its point (IS_POINT and the point's number) or its list of candidates (its place, times 256, and its words); the
// same with the list of all neighbors instead of those that can be nearest (core/quant/kernels/near_lists.h); the lists, two codes a word, the
// last one twice where their number is odd.
const uint IS_POINT = 0x80000000u;
const uint CODES = 1u << (DIGITS * DIGIT_BITS);
const uint DIGIT_MASK = (1u << DIGIT_BITS) - 1u;

uint placeOf(uint code) { return tables.words[code]; }
uint placeWithAllNeighbors(uint code) { return tables.words[CODES + code]; }
uint digit(uint code, uint i) { return code >> (DIGIT_BITS * i) & DIGIT_MASK; }

// 2 · digit i + 1, made as the significand of a float: converting integers is slow on much hardware.
float oddOf(uint code, uint i) { return uintBitsToFloat(digit(code, i) << 1 | 0x4b000001u) - 8388608.0; }

// The values to be moved to a point, and what weighs their distance.
struct Point {
    float x[DIGITS];
    float weight[DIGITS];
};

float distanceTerm(Point p, uint i, float scale, float level) {
    F e = scale * level - p.x[i];
    F term = p.weight[i] * e * e;
    return term;
}

#if DIGITS == 8
// The terms of the digits 0, 1 and 2, so that each of many candidates only picks and adds.
struct Search {
    float terms[DIGITS][3];
};

Search searchFor(Point p, float scale, vec3 levels) {
    Search search;
    [[unroll]] for (uint i = 0u; i < DIGITS; ++i) {
        [[unroll]] for (uint d = 0u; d < 3u; ++d) search.terms[i][d] = distanceTerm(p, i, scale, levels[d]);
    }
    return search;
}

float termOf(Search search, uint code, uint i) {
    bool one = (code & 1u << (2u * i)) != 0u, two = (code & 2u << (2u * i)) != 0u;
    return one ? search.terms[i][1] : two ? search.terms[i][2] : search.terms[i][0];
}
#else
struct Search {
    Point point;
    float scale;
};

Search searchFor(Point p, float scale, vec3 levels) { return Search(p, scale); }

float termOf(Search search, uint code, uint i) {
    return distanceTerm(search.point, i, search.scale, oddOf(code, i));
}
#endif

float distanceTo(Search search, uint code) {
    F sum = 0.0;
    [[unroll]] for (uint i = 0u; i < DIGITS; ++i) sum += termOf(search, code, i);
    return sum;
}

// The first code of the list at `place` with the strictly least distance; `levels` are what the digits 0, 1 and 2 stand for, while more
// digits stand for 2 · digit + 1.
uint nearestOf(uint place, Point p, float scale, vec3 levels) {
    Search search = searchFor(p, scale, levels);
    float best = uintBitsToFloat(0x7f7fffffu);
    uint nearest = 0u;
    uint first = place >> 8;
    for (uint at = first; at < first + (place & 255u); ++at) {
        uint both = tables.words[at];
        float one = distanceTo(search, both & 0xffffu), other = distanceTo(search, both >> 16);
        nearest = one < best ? both & 0xffffu : nearest;
        best = one < best ? one : best;
        nearest = other < best ? both >> 16 : nearest;
        best = other < best ? other : best;
    }
    return nearest;
}
