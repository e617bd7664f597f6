// SPDX-License-Identifier: MIT
#version 450
// IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS and IQ3_S (core/quant/lattice.cpp, encode_lattice.cpp). TYPE is 20, 21, 22, 30 or 31; the constants
// are the table of lattice.h. Each invocation has a sub-block; in the search, each tries a scale of whichever sub-block is next, so that
// neighbours in a subgroup walk the same or similar lists.
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

shared float fitted[BLOCKS][LANES];
shared bool skipped[BLOCKS][LANES];
shared uint scaleCodes[BLOCKS][LANES];
shared uint unit[BLOCKS];
shared bool empty[BLOCKS];
// Of each sub-block of the workgroup: magnitudes, weights, their roots; the signs of every eight elements; what the candidate scales are
// around, 0 where it is skipped; its points as codes, with ON_GRID where no neighbour had to help, at last their numbers.
shared float ys[GROUP][64];
shared float ws[GROUP][64];
shared float roots[GROUP][64];
shared uint signs[GROUP / 8u][64];
shared float reaches[64];
shared uint found[POINTS][65];
const uint ON_GRID = 0x10000u;
// The sums of all candidates of some sub-blocks, as many as one turn is for.
const uint CANDIDATES = 2u * tries + 1u;
const uint TURN = TYPE == 20 ? 32u : TYPE == 30 ? 8u : 16u; // so that few invocations idle in the last round
shared vec2 sums[TURN * CANDIDATES];

#define own gl_LocalInvocationID.x

void loadGroup() {
    for (uint i = 0u; i < GROUP; ++i) {
        float x = element(ownLane() * GROUP + i);
        F square = x * x;
        F w = square;
        if (plainMean != 0.0) w = plainMean * meanSquare[ownBlock()] + square;
        if (WEIGHTED) {
            F sum = meanSquare[ownBlock()] + square;
            w = weight(ownLane() * GROUP + i) * exactSqrt(sum);
        }
        ys[i][own] = x;
        ws[i][own] = w;
        roots[i][own] = exactSqrt(w);
    }
}

// Leaves magnitudes; where the sign bits must have even parity, the cheapest element takes the wrong sign.
void takeSigns(uint k) {
    uint bits = 0u;
    uint cheapest = 0u;
    float least = 0.0;
    for (uint i = 0u; i < 8u; ++i) {
        float x = ys[8u * k + i][own];
        F cost = ws[8u * k + i][own] * x * x;
        if (i == 0u || cost < least) {
            least = cost;
            cheapest = i;
        }
        if (x < 0.0) {
            bits |= 1u << i;
            ys[8u * k + i][own] = -x;
        }
    }
    if (paritySigns && (bitCount(bits) & 1) != 0) {
        ys[8u * k + cheapest][own] = -ys[8u * k + cheapest][own];
        bits ^= 1u << cheapest;
    }
    signs[k][own] = paritySigns ? bits & 127u : bits;
}

Point pointAt(uint sub, uint k) {
    Point p;
    [[unroll]] for (uint i = 0u; i < DIGITS; ++i) {
        p.x[i] = ys[k * DIGITS + i][sub];
        p.weight[i] = roots[k * DIGITS + i][sub];
    }
    return p;
}

// The point for group k at this scale. A value that rounding puts near the middle of two digits needs the list of all neighbours.
uint roundToGrid(Point p, float inverse, float scale) {
    uint code = 0u;
    bool border = false;
    [[unroll]] for (uint i = 0u; i < DIGITS; ++i) {
        F moved = 0.5 * (inverse * p.x[i] - 1.0);
        F shifted = moved + 12582912.0;
        int held = int((floatBitsToUint(shifted) & 0x007fffffu) | 0x4b000000u);
        F off = moved - (intBitsToFloat(held) - 12582912.0);
        border = border || !(abs(off) <= 0.4999);
        code |= uint(clamp(held - 0x4b400000, 0, LEVELS - 1)) << (DIGIT_BITS * i);
    }
    uint place = border ? placeWithAllNeighbours(code) : placeOf(code);
    return (place & IS_POINT) != 0u ? code | ON_GRID : nearestOf(place, p, scale, vec3(1.0, 3.0, 5.0));
}

// lx and l2 of Sums, with point k of a sub-block added.
vec2 withPoint(vec2 sum, Point p, uint sub, uint k, uint code) {
    F x = sum.x;
    F l2 = sum.y;
    [[unroll]] for (uint i = 0u; i < DIGITS; ++i) {
        float w = ws[k * DIGITS + i][sub], q = oddOf(code, i);
        x += w * p.x[i] * q;
        l2 += w * q * q;
    }
    return vec2(x, l2);
}

float inverseOf(uint candidate, float reach) {
    F above = float(2 * LEVELS - 1) + (float(candidate) - float(tries)) * stepSize;
    return exactDivide(above, reach);
}

// Σ w·y·q and Σ w·q² of the points for a scale; those in `found` that are on the grid stay with `keepsGrid`.
vec2 roundPoints(uint sub, float inverse, float scale, bool keepsGrid, bool stores) {
    vec2 sum = vec2(0.0);
    for (uint k = 0u; k < POINTS; ++k) {
        Point p = pointAt(sub, k);
        uint code = found[k][sub];
        if (!keepsGrid || (code & ON_GRID) == 0u) code = roundToGrid(p, inverse, scale);
        sum = withPoint(sum, p, sub, k, code);
        if (stores) found[k][sub] = code;
    }
    return sum;
}

// All candidates of the sub-blocks of a turn, each invocation taking the next.
void tryCandidates(uint turn) {
    for (uint at = own; at < TURN * CANDIDATES; at += 64u) {
        uint sub = turn * TURN + at / CANDIDATES;
        if (reaches[sub] == 0.0) continue;
        float inverse = inverseOf(at % CANDIDATES, reaches[sub]);
        sums[at] = roundPoints(sub, inverse, exactDivide(1.0, inverse), false, false);
    }
}

// The candidate with the best fit, CANDIDATES where none is one; `scale` follows it.
uint bestCandidate(inout float scale) {
    uint chosen = CANDIDATES;
    F best = 0.0;
    for (uint candidate = 0u; candidate < CANDIDATES; ++candidate) {
        vec2 sum = sums[own % TURN * CANDIDATES + candidate];
        F left = sum.x * sum.x;
        F right = best * sum.y;
        if (!(sum.y > 0.0 && left > right)) continue;
        scale = exactDivide(sum.x, sum.y);
        best = scale * sum.x;
        chosen = candidate;
    }
    return chosen;
}

bool refits(float scale) {
    bool someOff = false;
    for (uint k = 0u; k < POINTS; ++k) someOff = someOff || (found[k][own] & ON_GRID) == 0u;
    return scale > 0.0 && (someOff || (refitsAllPoints && !refitsOnlyIfOff));
}

// Finds the points of the chosen candidate again; then points are rounded with its scale, which follows them.
float settle(uint chosen, float scale) {
    for (uint k = 0u; k < POINTS; ++k) found[k][own] = flagsStartOnGrid ? ON_GRID : 0u;
    for (uint round_ = chosen < CANDIDATES ? 0u : 1u; round_ < 2u; ++round_) {
        bool last = round_ == 1u;
        if (last && !refits(scale)) break;
        float inverse = last ? exactDivide(1.0, scale) : inverseOf(chosen, reaches[own]);
        float tried = last ? scale : exactDivide(1.0, inverse);
        vec2 sum = roundPoints(own, inverse, tried, last && !refitsAllPoints, true);
        if (last && sum.y > 0.0) scale = exactDivide(sum.x, sum.y);
    }
    return scale;
}

// The scale to start from, and in `reaches` what the candidates are around; 0 where the sub-block is skipped.
float startScale() {
    float highest = ys[0][own];
    for (uint i = 1u; i < GROUP; ++i) highest = highest < ys[i][own] ? ys[i][own] : highest;
    reaches[own] = 0.0;
    if (emptyBelow > 0.0 ? highest < emptyBelow : highest == 0.0) return 0.0;
#if TYPE == 20
    for (uint i = 0u; i < GROUP; ++i) {
        sx[i] = ys[i][own];
        sw[i] = ws[i][own];
    }
    float start = fitPositive(LEVELS + 1, int(GROUP));
    F reach = start * float(LEVELS);
    reaches[own] = max(reach, 0.0);
    return start;
#else
    reaches[own] = highest;
    return exactDivide(highest, float(2 * LEVELS - 1));
#endif
}

float fitSubBlocks() {
    float scale = startScale();
    uint chosen = CANDIDATES;
    barrier();
    for (uint turn = 0u; turn < 64u / TURN; ++turn) {
        tryCandidates(turn);
        barrier();
        if (own / TURN == turn && reaches[own] != 0.0) chosen = bestCandidate(scale);
        barrier();
    }
    if (reaches[own] != 0.0) scale = settle(chosen, scale);
    if (scale < 0.0) {
        for (uint k = 0u; k < GROUP / 8u; ++k) signs[k][own] = ~signs[k][own] & (paritySigns ? 127u : 255u);
        scale = -scale;
    }
    return scale;
}

void keep(bool used, float scale) {
    skipped[ownBlock()][ownLane()] = !used;
    fitted[ownBlock()][ownLane()] = used ? scale : 0.0;
    for (uint k = 0u; k < POINTS; ++k) {
        uint place = placeOf(found[k][own] & 0xffffu);
        found[k][own] = used && (place & IS_POINT) != 0u ? place & ~IS_POINT : 0u;
    }
    for (uint k = 0u; k < GROUP / 8u; ++k) signs[k][own] = used ? signs[k][own] : 0u;
}

uint pointOf(uint block, uint at) { return found[at % POINTS][block * LANES + at / POINTS]; }
uint signsOf(uint block, uint at) { return signs[at % (GROUP / 8u)][block * LANES + at / (GROUP / 8u)]; }

// One invocation a block. A scale that is not a number makes the super-scale one, which no file gets.
void quantizeScales(uint block) {
    float highest = 0.0;
    bool overflowed = false;
    for (uint b = 0u; b < LANES; ++b) {
        if (highest < fitted[block][b]) highest = fitted[block][b];
        overflowed = overflowed || magnitudeOf(floatBitsToUint(fitted[block][b])) > infinityBits;
        scaleCodes[block][b] = 0u;
    }
    empty[block] = highest == 0.0 && !overflowed;
    unit[block] = overflowed ? 0x7e00u : 0u;
    if (empty[block] || overflowed) return;
    float d = exactDivide(highest, 31.0);
    F stored = d * storedFactor;
    unit[block] = f16Bits(stored);
    float inverse = exactDivide(1.0, d);
    for (uint b = 0u; b < LANES; ++b) {
        F moved = 0.5 * (inverse * fitted[block][b] - 1.0);
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
    // Index and sign bytes lie one after another without those of skipped sub-blocks, as in the reference.
    uint slot = at < 64u ? at / 8u : (at - 72u) / 4u;
    for (uint b = 0u; b < 8u; ++b) {
        if (skipped[block][b]) continue;
        if (slot == 0u) return at < 64u ? pointOf(block, 8u * b + at % 8u) : signsOf(block, 4u * b + (at - 72u) % 4u);
        slot -= 1u;
    }
    return 0u;
#endif
}

void main() {
    findMeanSquares(meanFactor, 256.0);
    barrier();
    loadGroup();
    for (uint k = 0u; k < GROUP / 8u; ++k) takeSigns(k);
    float scale = fitSubBlocks();
    keep(reaches[own] != 0.0, scale);
    barrier();
    if (own < BLOCKS) quantizeScales(own);
    barrier();
    writeBlocks();
}
