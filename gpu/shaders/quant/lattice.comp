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
#define DIGITS 8u
#define DIGIT_BITS 2u
#define LEVELS 3
#else
#define DIGITS 4u
#define DIGIT_BITS 3u
#define LEVELS 8
#endif
#include "frame.glsl"
#include "fit.glsl"
#include "grid.glsl"

const uint GROUPS = GROUP / DIGITS; // points of a sub-block
const bool paritySigns = TYPE == 20 || TYPE == 21 || TYPE == 30;
const bool startsFromPositiveFit = TYPE == 20;
const bool flagsStartOnGrid = TYPE != 20 && TYPE != 31;
const bool refitsAllPoints = TYPE == 20 || TYPE == 31;
const bool refitsOnlyIfOff = TYPE != 20;
const float emptyBelow = TYPE < 22 ? 1e-15 : TYPE == 31 ? 0.0 : 1e-8;
const float meanFactor = IS_IQ2 && TYPE != 22 ? 1.0 : 2.0;
const float plainMean = TYPE == 22 ? 0.25 : 0.0;
const int tries = TYPE == 20 ? 6 : TYPE == 30 ? 15 : 9;
const float stepSize = IS_IQ2 ? 0.1 : 0.2;
const float storedFactor = TYPE == 22 ? 0.9875 : TYPE == 30 ? 1.0125 : TYPE == 31 ? 1.033 : 1.0;

shared float meanSquare[BLOCKS];
shared float fitted[BLOCKS][LANES];
shared bool skipped[BLOCKS][LANES];
shared uint scaleCodes[BLOCKS][LANES];
shared uint unit[BLOCKS];
shared bool empty[BLOCKS];
shared uint points[BLOCKS][256u / DIGITS];
shared uint signBytes[BLOCKS][32];

float rootWeight[32];
uint signs[4];
uint found[8]; // the best points so far, as codes
bool onGrid[8];
uint trial[8];
bool trialOnGrid[8];

void sumSquares() {
    if (ownLane() != 0u) return;
    F sum = 0.0;
    for (uint i = 0u; i < 256u; ++i) {
        float x = element(i);
        sum += x * x;
    }
    F mean = meanFactor * sum / 256.0;
    meanSquare[ownBlock()] = mean;
}

void loadGroup() {
    for (uint i = 0u; i < GROUP; ++i) {
        gx[i] = element(ownLane() * GROUP + i);
        F square = gx[i] * gx[i];
        F own = square;
        if (plainMean != 0.0) own = plainMean * meanSquare[ownBlock()] + square;
        if (WEIGHTED) {
            F sum = meanSquare[ownBlock()] + square;
            own = weight(ownLane() * GROUP + i) * exactSqrt(sum);
        }
        gw[i] = own;
        rootWeight[i] = exactSqrt(own);
    }
}

// Leaves magnitudes in gx; where the sign bits must have even parity, the cheapest element takes the wrong sign.
void takeSigns() {
    for (uint k = 0u; k < GROUP / 8u; ++k) {
        uint bits = 0u;
        uint cheapest = 0u;
        float least = 0.0;
        for (uint i = 0u; i < 8u; ++i) {
            uint at = 8u * k + i;
            F cost = gw[at] * gx[at] * gx[at];
            if (i == 0u || cost < least) {
                least = cost;
                cheapest = i;
            }
        }
        for (uint i = 0u; i < 8u; ++i) {
            uint at = 8u * k + i;
            if (gx[at] < 0.0) {
                bits |= 1u << i;
                gx[at] = -gx[at];
            }
        }
        if (paritySigns && (bitCount(bits) & 1) != 0) {
            gx[8u * k + cheapest] = -gx[8u * k + cheapest];
            bits ^= 1u << cheapest;
        }
        signs[k] = paritySigns ? bits & 127u : bits;
    }
}

uint nearestNeighbour(uint list, uint first, float scale) {
    float best = uintBitsToFloat(0x7f7fffffu);
    uint nearest = 0u;
    uint count = listWord(list);
    for (uint n = 1u; n <= count; ++n) {
        uint candidate = codeOfPoint(listWord(list + n));
        F distance_ = 0.0;
        for (uint i = 0u; i < DIGITS; ++i) {
            F e = scale * float(2u * digit(candidate, i) + 1u) - gx[first + i];
            distance_ += rootWeight[first + i] * e * e;
        }
        if (distance_ < best) {
            best = distance_;
            nearest = candidate;
        }
    }
    return nearest;
}

// The point for group k at this scale, as a code; `direct` tells whether no neighbour had to help.
uint roundToGrid(uint k, float inverse, float scale, out bool direct) {
    uint first = k * DIGITS;
    uint code = 0u;
    for (uint i = 0u; i < DIGITS; ++i) {
        F moved = 0.5 * (inverse * gx[first + i] - 1.0);
        code |= uint(clamp(nearestInt(moved), 0, LEVELS - 1)) << (DIGIT_BITS * i);
    }
    int place = mapOf(code);
    direct = place >= 0;
    return direct ? code : nearestNeighbour(uint(-1 - place), first, scale);
}

// Σ w·y·q and Σ w·q² of the trial points.
Sums trialSums() {
    F lx = 0.0;
    F l2 = 0.0;
    for (uint i = 0u; i < GROUP; ++i) {
        float q = float(2u * digit(trial[i / DIGITS], i % DIGITS) + 1u);
        lx += gw[i] * gx[i] * q;
        l2 += gw[i] * q * q;
    }
    return Sums(lx, l2);
}

float searchScale(float reach, float start) {
    float scale = start;
    F best = 0.0;
    for (int t = -tries; t <= tries; ++t) {
        F above = float(2 * LEVELS - 1) + float(t) * stepSize;
        float inverse = exactDivide(above, reach);
        float tried_ = exactDivide(1.0, inverse);
        for (uint k = 0u; k < GROUPS; ++k) trial[k] = roundToGrid(k, inverse, tried_, trialOnGrid[k]);
        Sums sums = trialSums();
        F left = sums.lx * sums.lx;
        F right = best * sums.l2;
        if (!(sums.l2 > 0.0 && left > right)) continue;
        scale = exactDivide(sums.lx, sums.l2);
        best = scale * sums.lx;
        for (uint k = 0u; k < GROUPS; ++k) {
            found[k] = trial[k];
            onGrid[k] = trialOnGrid[k];
        }
    }
    return scale;
}

float refit(float scale) {
    bool someOff = false;
    for (uint k = 0u; k < GROUPS; ++k) someOff = someOff || !onGrid[k];
    if (!(scale > 0.0) || (!someOff && (!refitsAllPoints || refitsOnlyIfOff))) return scale;
    float inverse = exactDivide(1.0, scale);
    for (uint k = 0u; k < GROUPS; ++k) {
        bool direct;
        if (refitsAllPoints || !onGrid[k]) found[k] = roundToGrid(k, inverse, scale, direct);
        trial[k] = found[k];
    }
    Sums sums = trialSums();
    return sums.l2 > 0.0 ? exactDivide(sums.lx, sums.l2) : scale;
}

// Fits the sub-block; false where it is skipped.
bool fitSubBlock(out float scale) {
    float highest = gx[0];
    for (uint i = 1u; i < GROUP; ++i) {
        if (highest < gx[i]) highest = gx[i];
    }
    for (uint k = 0u; k < 8u; ++k) {
        found[k] = 0u;
        onGrid[k] = flagsStartOnGrid;
    }
    scale = 0.0;
    if (emptyBelow > 0.0 ? highest < emptyBelow : highest == 0.0) return false;
    float reach = highest;
    scale = exactDivide(highest, float(2 * LEVELS - 1));
    if (startsFromPositiveFit) {
        scale = fitPositive(LEVELS + 1, int(GROUP));
        F farthest = scale * float(LEVELS);
        reach = farthest;
        if (reach <= 0.0) return false;
        for (uint i = 0u; i < GROUP; ++i) found[i / DIGITS] |= uint(min(gc[i], LEVELS - 1)) << (DIGIT_BITS * (i % DIGITS));
    }
    scale = refit(searchScale(reach, scale));
    if (scale < 0.0) {
        for (uint k = 0u; k < 4u; ++k) signs[k] = ~signs[k] & (paritySigns ? 127u : 255u);
        scale = -scale;
    }
    return true;
}

void keep(bool used, float scale) {
    uint block = ownBlock(), lane = ownLane();
    skipped[block][lane] = !used;
    fitted[block][lane] = used ? scale : 0.0;
    for (uint k = 0u; k < GROUPS; ++k) points[block][lane * GROUPS + k] = used ? uint(max(mapOf(found[k]), 0)) : 0u;
    for (uint k = 0u; k < GROUP / 8u; ++k) signBytes[block][lane * GROUP / 8u + k] = used ? signs[k] : 0u;
}

void quantizeScales() {
    uint block = ownBlock();
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
    for (uint k = 0u; k < 4u; ++k) bits |= signBytes[block][4u * b + k] << (7u * k);
    return bits;
}

uint byteOf(uint block, uint at) {
    if (at < 2u) return unit[block] >> (8u * at);
    at -= 2u;
#if TYPE == 20
    if (empty[block]) return 0u;
    uint b = at / 8u, k = at % 8u;
    return k < 4u ? points[block][4u * b + k] : tail(block, b) >> (8u * (k - 4u));
#elif TYPE == 21
    if (empty[block]) return 0u;
    if (at >= 64u) return scaleNibbles(block, at - 64u);
    return (points[block][at / 2u] | signBytes[block][at / 2u] << 9) >> (8u * (at % 2u));
#elif TYPE == 22
    if (at < 32u) return points[block][at];
    if (at < 64u) return signBytes[block][at - 32u];
    if (at >= 72u) return empty[block] ? 0u : scaleNibbles(block, at - 72u);
    uint bits = 0u;
    for (uint k = 0u; k < 4u; ++k) bits |= points[block][4u * (at - 64u) + k] >> 8 << (2u * k);
    return bits;
#elif TYPE == 30
    if (empty[block]) return 0u;
    return at < 64u ? points[block][at] : tail(block, (at - 64u) / 4u) >> (8u * (at % 4u));
#else
    if (at >= 104u) return empty[block] ? 0u : scaleNibbles(block, at - 104u);
    if (at >= 64u && at < 72u) {
        uint bits = 0u;
        for (uint k = 0u; k < 8u; ++k) bits |= points[block][8u * (at - 64u) + k] >> 8 << k;
        return bits;
    }
    // Index and sign bytes lie one after another without those of skipped sub-blocks, as in the reference.
    uint slot = at < 64u ? at / 8u : (at - 72u) / 4u;
    for (uint b = 0u; b < 8u; ++b) {
        if (skipped[block][b]) continue;
        if (slot == 0u) return at < 64u ? points[block][8u * b + at % 8u] : signBytes[block][4u * b + (at - 72u) % 4u];
        slot -= 1u;
    }
    return 0u;
#endif
}

void main() {
    sumSquares();
    barrier();
    loadGroup();
    takeSigns();
    float scale;
    bool used = fitSubBlock(scale);
    keep(used, scale);
    barrier();
    if (ownLane() == 0u) quantizeScales();
    barrier();
    writeBlocks();
}
