// SPDX-License-Identifier: MIT
#version 450
// IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS and IQ3_S (core/quant/lattice.cpp, encode_lattice.cpp): one invocation a sub-block. TYPE is 20, 21,
// 22, 30 or 31; the constants are the table of lattice.h.
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
const int tries = TYPE == 20 ? 6 : TYPE == 30 ? 15 : 9;
const float stepSize = IS_IQ2 ? 0.1 : 0.2;
const float storedFactor = TYPE == 22 ? 0.9875 : TYPE == 30 ? 1.0125 : TYPE == 31 ? 1.033 : 1.0;


shared float fitted[BLOCKS][LANES];
shared bool skipped[BLOCKS][LANES];
shared uint scaleCodes[BLOCKS][LANES];
shared uint unit[BLOCKS];
shared bool empty[BLOCKS];
// Of each invocation's sub-block: magnitudes, weights, their roots; the signs of every eight elements.
shared float ys[GROUP][64];
shared float ws[GROUP][64];
shared float roots[GROUP][64];
shared uint signs[GROUP / 8u][64];
// Its points as codes, with ON_GRID where no neighbour had to help: those of the candidate at hand and the best; at last their numbers.
shared uint trial[POINTS][64];
shared uint found[POINTS][64];
const uint ON_GRID = 0x10000u;

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

Point pointAt(uint k) {
    Point p;
    [[unroll]] for (uint i = 0u; i < DIGITS; ++i) {
        p.x[i] = ys[k * DIGITS + i][own];
        p.weight[i] = roots[k * DIGITS + i][own];
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

void addPoint(uint k, uint code, inout float lx, inout float l2) {
    F x = lx;
    F w2 = l2;
    [[unroll]] for (uint i = 0u; i < DIGITS; ++i) {
        float w = ws[k * DIGITS + i][own], q = oddOf(code, i);
        x += w * ys[k * DIGITS + i][own] * q;
        w2 += w * q * q;
    }
    lx = x;
    l2 = w2;
}

bool refits(float scale) {
    bool someOff = false;
    for (uint k = 0u; k < POINTS; ++k) someOff = someOff || (found[k][own] & ON_GRID) == 0u;
    return scale > 0.0 && (someOff || (refitsAllPoints && !refitsOnlyIfOff));
}

// Candidates around (2 · LEVELS - 1) / reach; behind them a last round with the best scale, which follows the points then.
float searchScale(float reach, float start) {
    float scale = start;
    F best = 0.0;
    for (int t = -tries; t <= tries + 1; ++t) {
        bool last = t > tries;
        if (last && !refits(scale)) break;
        F above = float(2 * LEVELS - 1) + float(t) * stepSize;
        float inverse = exactDivide(last ? 1.0 : above, last ? scale : reach);
        float tried = last ? scale : exactDivide(1.0, inverse);
        float lx = 0.0, l2 = 0.0;
        for (uint k = 0u; k < POINTS; ++k) {
            bool kept = last && !refitsAllPoints && (found[k][own] & ON_GRID) != 0u;
            uint code = kept ? found[k][own] : roundToGrid(pointAt(k), inverse, tried);
            addPoint(k, code, lx, l2);
            trial[k][own] = code;
        }
        F left = lx * lx;
        F right = best * l2;
        bool better = l2 > 0.0 && (last || left > right);
        if (better) {
            scale = exactDivide(lx, l2);
            best = scale * lx;
        }
        for (uint k = 0u; k < POINTS && (better || last); ++k) found[k][own] = trial[k][own];
    }
    return scale;
}

// Fits the sub-block; false where it is skipped.
bool fitSubBlock(out float scale) {
    float highest = ys[0][own];
    for (uint i = 1u; i < GROUP; ++i) highest = highest < ys[i][own] ? ys[i][own] : highest;
    for (uint k = 0u; k < POINTS; ++k) found[k][own] = flagsStartOnGrid ? ON_GRID : 0u;
    scale = 0.0;
    if (emptyBelow > 0.0 ? highest < emptyBelow : highest == 0.0) return false;
    float reach = highest;
    float start = exactDivide(highest, float(2 * LEVELS - 1));
#if TYPE == 20
    for (uint i = 0u; i < GROUP; ++i) {
        sx[i] = ys[i][own];
        sw[i] = ws[i][own];
    }
    start = fitPositive(LEVELS + 1, int(GROUP));
    F farthest = start * float(LEVELS);
    reach = farthest;
    if (reach <= 0.0) return false;
#endif
    scale = searchScale(reach, start);
    if (scale < 0.0) {
        for (uint k = 0u; k < GROUP / 8u; ++k) signs[k][own] = ~signs[k][own] & (paritySigns ? 127u : 255u);
        scale = -scale;
    }
    return true;
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

// One invocation a block.
void quantizeScales(uint block) {
    float highest = 0.0;
    for (uint b = 0u; b < LANES; ++b) {
        if (highest < fitted[block][b]) highest = fitted[block][b];
    }
    empty[block] = highest == 0.0;
    unit[block] = 0u;
    if (empty[block]) return;
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
    float scale;
    bool used = fitSubBlock(scale);
    keep(used, scale);
    barrier();
    if (own < BLOCKS) quantizeScales(own);
    barrier();
    writeBlocks();
}
