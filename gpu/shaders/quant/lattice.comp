// SPDX-License-Identifier: MIT
#version 450
// IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS and IQ3_S (core/quant/kernels/lattice.cpp, encode_lattice.cpp). TYPE is 20, 21, 22, 30 or 31; the constants
// are the table of lattice.h. Each invocation has a sub-block. They are searched by turns, a few at a time, so that their elements take
// little shared memory and many workgroups run side by side: there each invocation tries a scale of whichever sub-block is next, so that
// neighbors in a subgroup walk the same or similar lists.
#define BLOCK_ELEMENTS 256u
#if TYPE == 20
#define BLOCK_BYTES 66u
#define LANES 8u
#elif TYPE == 21
#define BLOCK_BYTES 74u
#define LANES 16u
#elif TYPE == 22
#define BLOCK_BYTES 82u
#define LANES 16u
#elif TYPE == 30
#define BLOCK_BYTES 98u
#define LANES 8u
#else
#define BLOCK_BYTES 110u
#define LANES 8u
#endif
#define IS_IQ2 (TYPE < 30)
#if IS_IQ2
#define DIGITS 8
#define DIGIT_BITS 2
#define LEVELS 3
#else
#define DIGITS 4
#define DIGIT_BITS 3
#define LEVELS 8
#endif
#include "frame.glsl"
#include "squares.glsl"
#include "grid.glsl"
#if TYPE == 20
#include "fit.glsl"
#include "sweeps.glsl"
#endif

const uint POINTS = GROUP / DIGITS; // of a sub-block
const bool paritySigns = TYPE == 20 || TYPE == 21 || TYPE == 30;
const bool flagsStartOnGrid = TYPE != 20 && TYPE != 31;
const bool refitsAllPoints = TYPE == 20 || TYPE == 31;
const bool refitsOnlyIfOff = TYPE != 20;
const float emptyBelow = TYPE < 22 ? 1e-15 : TYPE == 31 ? 0.0 : 1e-8;
const float meanFactor = IS_IQ2 && TYPE != 22 ? 1.0 : 2.0;
const float plainMean = TYPE == 22 ? 0.25 : 0.0;
const uint tries = TYPE == 20 ? 6u : TYPE == 30 ? 15u : 9u;
const float stepSize = IS_IQ2 ? 0.1 : 0.2;
const float storedFactor = TYPE == 22 ? 0.9875 : TYPE == 30 ? 1.0125 : TYPE == 31 ? 1.033 : 1.0;

const uint CANDIDATES = 2u * tries + 1u;
const uint TURN = IS_IQ2 ? 16u : 8u; // sub-blocks
const uint EIGHTS = GROUP / 8u;      // of a sub-block

shared uint scaleCodes[BLOCKS][LANES];
shared uint unit[BLOCKS];
shared bool empty[BLOCKS];
// Of each sub-block of the workgroup: the signs of every eight elements; in four bits each which of the eight takes the wrong sign, 15 for
// none; what the candidate scales are around, 0 where it is skipped; its scale; its points as codes, with ON_GRID where no neighbor had
// to help, at last their numbers.
shared uint signs[EIGHTS][64];
shared uint flips[64];
shared float reaches[64];
shared float scales[64];
shared uint found[POINTS][65];
const uint ON_GRID = 0x10000u;
const uint NO_FLIP = 15u;
// Of each sub-block whose turn it is: magnitudes, weights, their roots; the sums of its candidates; with what inverse scale and scale
// its points are to be rounded, STAYS where they are not.
shared float ys[GROUP][TURN + 1u];
shared float ws[GROUP][TURN + 1u];
shared float roots[GROUP][TURN + 1u];
shared vec2 sums[TURN * CANDIDATES];
shared vec2 rounding[TURN];
const vec2 STAYS = vec2(-1.0);

#define own gl_LocalInvocationID.x

float elementAt(uint sub, uint i) { return elementOf(sub / LANES, sub % LANES * GROUP + i); }

float weightAt(uint sub, uint i, float x) {
    uint block = sub / LANES;
    F square = x * x;
    if (!WEIGHTED) {
        F plain = plainMean * meanSquare[block] + square;
        return plainMean != 0.0 ? plain : square;
    }
    F sum = meanSquare[block] + square;
    F w = columnWeight(block, sub % LANES * GROUP + i) * exactSqrt(sum);
    return w;
}

// What of the own sub-block enters sums, and the cost of signs. The least root of a weight that is not zero.
uint watchElements() {
    uint minRoot = NOTHING;
    for (uint i = 0u; MARKS && i < GROUP; ++i) {
        float x = elementAt(own, i);
        float w = weightAt(own, i, x);
        F square = x * x;
        F product = w * x;
        F cost = product * x;
        float mean = meanSquare[ownBlock()];
        F part = plainMean * mean;
        if (WEIGHTED) {
            watchSquare(x, square, mean);
            if (weight(ownLane() * GROUP + i) != 0.0 && (x != 0.0 || mean != 0.0)) watchTerm(1.0, 1.0, w);
        } else if (plainMean != 0.0) {
            watchProduct(plainMean, mean, part);
            watchSquare(x, square, part);
            if (x != 0.0 || mean != 0.0) watchTerm(1.0, 1.0, w);
        } else {
            watchTerm(x, x, w);
        }
        watchTerm(w, x, product);
        if (paritySigns) watchProduct(w, x, cost);
        minRoot = minOf(minRoot, exactSqrt(w));
    }
    return minRoot;
}

// The distances of nearestOf(): levels times scale are at least the scale. So an element below half of it is at least as far from one, and any
// other is a multiple of 2^-25 · scale, as is the level: so is what they differ by.
void watchDistances(uint minRoot, float scale) {
    F least = scale * 2.98023223876953125e-8; // 2^-25
    F once = minValue(minRoot) * least;
    F twice = once * least;
    if (MARKS) vanishes = vanishes || sizeOf(twice) < LEAST;
}

// The source of a sub-block's candidates: `reach` is divided by numbers from 4 to 18.
const float SMALLEST_SCALE = 0.03125;
void watchCandidates(uint minRoot, float reach) {
    if (!MARKS || reach == 0.0) return;
    vanishes = vanishes || reach < 1.0e-27 || reach > 1.0e18;
    watchDistances(minRoot, SMALLEST_SCALE * reach);
}

// The scale that fits best may be smaller than those, where weights are zero.
void watchScale(uint sub, float scale) {
    if (!MARKS || !(scale > 0.0) || scale >= SMALLEST_SCALE * reaches[sub]) return;
    uint minRoot = NOTHING;
    for (uint i = 0u; i < GROUP; ++i) minRoot = minOf(minRoot, exactSqrt(weightAt(sub, i, elementAt(sub, i))));
    watchDistances(minRoot, scale);
}

float magnitudeAt(uint sub, uint i, uint flip) {
    float x = elementAt(sub, i);
    float magnitude = x < 0.0 ? -x : x;
    return i % 8u == flip ? -magnitude : magnitude;
}

// The signs of eight elements; where their bits must have even parity, the cheapest element takes the wrong one, which is the result.
uint takeSigns(uint k) {
    uint bits = 0u;
    uint cheapest = 0u;
    float least = 0.0;
    for (uint i = 0u; i < 8u; ++i) {
        float x = elementAt(own, 8u * k + i);
        if (x < 0.0) bits |= 1u << i;
        if (!paritySigns) continue;
        F cost = weightAt(own, 8u * k + i, x) * x * x;
        if (i == 0u || cost < least) {
            least = cost;
            cheapest = i;
        }
    }
    bool odd = paritySigns && (bitCount(bits) & 1) != 0;
    if (odd) bits ^= 1u << cheapest;
    signs[k][own] = paritySigns ? bits & 127u : bits;
    return odd ? cheapest : NO_FLIP;
}

// Finds the scale to start from, and in `reaches` what the candidates are around.
void startScale() {
    float highest = 0.0;
    uint allFlips = 0u;
    for (uint k = 0u; k < EIGHTS; ++k) {
        uint flip = takeSigns(k);
        allFlips |= flip << (4u * k);
        for (uint i = 8u * k; i < 8u * k + 8u; ++i) {
            float y = magnitudeAt(own, i, flip);
            if (i == 0u || highest < y) highest = y;
#if TYPE == 20
            sx[i] = y;
            sw[i] = weightAt(own, i, y);
#endif
        }
    }
    flips[own] = allFlips;
    reaches[own] = 0.0;
    scales[own] = 0.0;
    if (emptyBelow > 0.0 ? highest < emptyBelow : highest == 0.0) return;
    uint minRoot = watchElements();
#if TYPE == 20
    scales[own] = fitPositive(LEVELS + 1, int(GROUP));
    watchCoarse(scales[own]);
    F reach = scales[own] * float(LEVELS);
    reaches[own] = max(reach, 0.0);
#else
    scales[own] = exactDivide(highest, float(2 * LEVELS - 1));
    reaches[own] = highest;
#endif
    watchCandidates(minRoot, reaches[own]);
}

// Spreads the elements of the sub-blocks of a turn.
void loadTurn(uint turn) {
    for (uint at = own; at < TURN * GROUP; at += 64u) {
        uint c = at / GROUP, i = at % GROUP, sub = turn * TURN + c;
        float y = magnitudeAt(sub, i, flips[sub] >> (4u * (i / 8u)) & 15u);
        float w = weightAt(sub, i, y);
        ys[i][c] = y;
        ws[i][c] = w;
        roots[i][c] = exactSqrt(w);
    }
}

// Point k of sub-block c of the turn.
Point pointAt(uint c, uint k) {
    Point p;
    [[unroll]] for (uint i = 0u; i < DIGITS; ++i) {
        p.x[i] = ys[k * DIGITS + i][c];
        p.weight[i] = roots[k * DIGITS + i][c];
    }
    return p;
}

// The point for group k at this scale. A value that rounding puts near the middle of two digits needs the list of all neighbors.
uint roundToGrid(Point p, float inverse, float scale) {
    uint code = 0u;
    bool border = false;
    [[unroll]] for (uint i = 0u; i < DIGITS; ++i) {
        F moved = 0.5 * (inverse * p.x[i] - 1.0);
        F shifted = moved + 12582912.0;
        int held = int(shiftedSignificand(shifted) | 0x4b000000u);
        F off = moved - (intBitsToFloat(held) - 12582912.0);
        border = border || !(abs(off) <= 0.4999);
        code |= uint(clamp(held - 0x4b400000, 0, LEVELS - 1)) << (DIGIT_BITS * i);
    }
    uint place = border ? placeWithAllNeighbors(code) : placeOf(code);
    return (place & IS_POINT) != 0u ? code | ON_GRID : nearestOf(place, p, scale, vec3(1.0, 3.0, 5.0));
}

// lx and l2 of Sums, with point k of a sub-block added.
vec2 withPoint(vec2 sum, uint c, uint k, uint code) {
    F x = sum.x;
    F l2 = sum.y;
    [[unroll]] for (uint i = 0u; i < DIGITS; ++i) {
        float w = ws[k * DIGITS + i][c], y = ys[k * DIGITS + i][c], q = oddOf(code, i);
        x += w * y * q;
        l2 += w * q * q;
    }
    return vec2(x, l2);
}

vec2 candidateAt(uint candidate, float reach) {
    F above = float(2 * LEVELS - 1) + (float(candidate) - float(tries)) * stepSize;
    float inverse = exactDivide(above, reach);
    return vec2(inverse, exactDivide(1.0, inverse));
}

// All candidates of a turn, each invocation taking the next: Σ w·y·q and Σ w·q² of the points.
void tryCandidates(uint turn) {
    for (uint at = own; at < TURN * CANDIDATES; at += 64u) {
        uint c = at / CANDIDATES;
        float reach = reaches[turn * TURN + c];
        if (reach == 0.0) continue;
        vec2 tried = candidateAt(at % CANDIDATES, reach);
        vec2 sum = vec2(0.0);
        for (uint k = 0u; k < POINTS; ++k) sum = withPoint(sum, c, k, roundToGrid(pointAt(c, k), tried.x, tried.y));
        sums[at] = sum;
    }
}

// The scale of the candidate with the best fit, whose points are to be found again, or the scale as it is where none is one.
void takeBest(uint sub) {
    uint chosen = CANDIDATES;
    float scale = scales[sub];
    F best = 0.0;
    for (uint candidate = 0u; candidate < CANDIDATES; ++candidate) {
        vec2 sum = sums[own * CANDIDATES + candidate];
        F left = sum.x * sum.x;
        F right = best * sum.y;
        watchProduct(sum.x, sum.x, left);
        watchProduct(best, sum.y, right);
        if (!(sum.y > 0.0 && left > right)) continue;
        scale = exactDivide(sum.x, sum.y);
        best = scale * sum.x;
        watchCoarse(scale);
        watchProduct(scale, sum.x, best);
        chosen = candidate;
    }
    scales[sub] = scale;
    rounding[own] = chosen < CANDIDATES ? candidateAt(chosen, reaches[sub]) : STAYS;
    for (uint k = 0u; k < POINTS; ++k) found[k][sub] = flagsStartOnGrid ? ON_GRID : 0u;
}

// Points follow the scale found, if it is worth it.
void decideRefit(uint sub) {
    bool someOff = false;
    for (uint k = 0u; k < POINTS; ++k) someOff = someOff || (found[k][sub] & ON_GRID) == 0u;
    float scale = scales[sub];
    watchScale(sub, scale);
    bool refits = scale > 0.0 && (someOff || (refitsAllPoints && !refitsOnlyIfOff));
    rounding[own] = refits ? vec2(exactDivide(1.0, scale), scale) : STAYS;
}

// Rounds the points of the turn, an invocation a point; those on the grid stay with `keepsGrid`.
void roundPoints(uint turn, bool keepsGrid) {
    for (uint at = own; at < TURN * POINTS; at += 64u) {
        uint c = at / POINTS, k = at % POINTS, sub = turn * TURN + c;
        if (reaches[sub] == 0.0 || rounding[c] == STAYS || (keepsGrid && (found[k][sub] & ON_GRID) != 0u)) continue;
        found[k][sub] = roundToGrid(pointAt(c, k), rounding[c].x, rounding[c].y);
    }
}

// The scale follows the points; a negative one turns all signs.
void settle(uint sub) {
    if (rounding[own] != STAYS) {
        vec2 sum = vec2(0.0);
        for (uint k = 0u; k < POINTS; ++k) sum = withPoint(sum, own, k, found[k][sub]);
        if (sum.y > 0.0) scales[sub] = exactDivide(sum.x, sum.y);
        watchCoarse(scales[sub]);
    }
    if (!(scales[sub] < 0.0)) return;
    scales[sub] = -scales[sub];
    for (uint k = 0u; k < EIGHTS; ++k) signs[k][sub] = ~signs[k][sub] & (paritySigns ? 127u : 255u);
}

void fitSubBlocks(uint turn) {
    uint sub = turn * TURN + own;
    bool owns = own < TURN && reaches[min(sub, 63u)] != 0.0;
    loadTurn(turn);
    barrier();
    tryCandidates(turn);
    barrier();
    if (owns) takeBest(sub);
    barrier();
    roundPoints(turn, false);
    barrier();
    if (owns) decideRefit(sub);
    barrier();
    roundPoints(turn, !refitsAllPoints);
    barrier();
    if (owns) {
        settle(sub);
        report(sub / LANES);
    }
    barrier();
}

bool skipped(uint block, uint b) { return reaches[block * LANES + b] == 0.0; }
float fitted(uint block, uint b) { return skipped(block, b) ? 0.0 : scales[block * LANES + b]; }

// Turns the codes of the points into their numbers; nothing is left of a sub-block that is skipped.
void number() {
    bool used = reaches[own] != 0.0;
    for (uint k = 0u; k < POINTS; ++k) {
        uint place = used ? placeOf(found[k][own] & 0xffffu) : 0u;
        found[k][own] = (place & IS_POINT) != 0u ? place & ~IS_POINT : 0u;
    }
    for (uint k = 0u; k < EIGHTS; ++k) signs[k][own] = used ? signs[k][own] : 0u;
}

uint pointOf(uint block, uint at) { return found[at % POINTS][block * LANES + at / POINTS]; }
uint signsOf(uint block, uint at) { return signs[at % EIGHTS][block * LANES + at / EIGHTS]; }

// One invocation a block. A scale that is not a number makes the super-scale one, which no file gets.
void quantizeScales(uint block) {
    float highest = 0.0;
    bool overflowed = false;
    for (uint b = 0u; b < LANES; ++b) {
        if (highest < fitted(block, b)) highest = fitted(block, b);
        overflowed = overflowed || magnitudeOf(floatBitsToUint(fitted(block, b))) > infinityBits;
        scaleCodes[block][b] = 0u;
    }
    empty[block] = highest == 0.0 && !overflowed;
    unit[block] = overflowed ? 0x7e00u : 0u;
    if (empty[block] || overflowed) return;
    float d = exactDivide(highest, 31.0);
    F stored = d * storedFactor;
    unit[block] = f16Bits(stored);
    float inverse = exactDivide(1.0, d);
    watch(d);
    watch(inverse);
    for (uint b = 0u; b < LANES; ++b) {
        F moved = 0.5 * (inverse * fitted(block, b) - 1.0);
        scaleCodes[block][b] = uint(clamp(nearestInt(moved), 0, 15));
    }
}

uint scaleNibbles(uint block, uint at) { return scaleCodes[block][2u * at] | scaleCodes[block][2u * at + 1u] << 4; }

// Four 7-bit sign codes and the scale of 32 elements.
uint tail(uint block, uint b) {
    uint bits = scaleCodes[block][b] << 28;
    for (uint k = 0u; k < 4u; ++k) bits |= signsOf(block, 4u * b + k) << (7u * k);
    return bits;
}

uint byteOf(uint block, uint at) {
    if (at < 2u) return unit[block] >> (8u * at);
    at -= 2u;
#if TYPE == 20
    if (empty[block]) return 0u;
    uint b = at / 8u, k = at % 8u;
    return k < 4u ? pointOf(block, 4u * b + k) : tail(block, b) >> (8u * (k - 4u));
#elif TYPE == 21
    if (empty[block]) return 0u;
    if (at >= 64u) return scaleNibbles(block, at - 64u);
    return (pointOf(block, at / 2u) | signsOf(block, at / 2u) << 9) >> (8u * (at % 2u));
#elif TYPE == 22
    if (at < 32u) return pointOf(block, at);
    if (at < 64u) return signsOf(block, at - 32u);
    if (at >= 72u) return empty[block] ? 0u : scaleNibbles(block, at - 72u);
    uint bits = 0u;
    for (uint k = 0u; k < 4u; ++k) bits |= pointOf(block, 4u * (at - 64u) + k) >> 8 << (2u * k);
    return bits;
#elif TYPE == 30
    if (empty[block]) return 0u;
    return at < 64u ? pointOf(block, at) : tail(block, (at - 64u) / 4u) >> (8u * (at % 4u));
#else
    if (at >= 104u) return empty[block] ? 0u : scaleNibbles(block, at - 104u);
    if (at >= 64u && at < 72u) {
        uint bits = 0u;
        for (uint k = 0u; k < 8u; ++k) bits |= pointOf(block, 8u * (at - 64u) + k) >> 8 << k;
        return bits;
    }
    // Index and sign bytes are one after another without those of skipped sub-blocks, as in the reference.
    uint slot = at < 64u ? at / 8u : (at - 72u) / 4u;
    for (uint b = 0u; b < 8u; ++b) {
        if (skipped(block, b)) continue;
        if (slot == 0u) return at < 64u ? pointOf(block, 8u * b + at % 8u) : signsOf(block, 4u * b + (at - 72u) % 4u);
        slot -= 1u;
    }
    return 0u;
#endif
}

void main() {
    findMeanSquares(meanFactor, 256.0);
    barrier();
    watchGroup();
    startScale();
    report(ownBlock());
    barrier();
    for (uint turn = 0u; turn < 64u / TURN; ++turn) fitSubBlocks(turn);
    number();
    barrier();
    if (own < BLOCKS) {
        quantizeScales(own);
        report(own);
    }
    barrier();
    writeBlocks();
}
