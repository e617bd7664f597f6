// SPDX-License-Identifier: MIT
#version 450
// IQ1_S and IQ1_M (core/quant/kernels/encode_iq1.cpp): one invocation a sub-block of 32 or 16. TYPE is 1 for IQ1_S, 2 for IQ1_M.
#define BLOCK_ELEMENTS 256u
#if TYPE == 1
#define BLOCK_BYTES 50u
#define LANES 8u
#else
#define BLOCK_BYTES 56u
#define LANES 16u
#endif
#define DIGITS 8
#define DIGIT_BITS 2
#include "frame.glsl"
#include "squares.glsl"
#include "grid.glsl"

const uint POINTS = GROUP / 8u;
const uint HALVES = TYPE == 1 ? 1u : 2u; // with their own sums

shared float fitted[BLOCKS][LANES];
shared uint shiftsOf[BLOCKS][LANES]; // IQ1_S: 1 is down; IQ1_M: bit 1 the first half, bit 0 the second
shared uint scaleCodes[BLOCKS][LANES];
shared float superScale[BLOCKS];
shared uint unit[BLOCKS];
shared bool empty[BLOCKS];
// Of each invocation's sub-block: sums of w·x and of w over the elements by ascending value, the places of four elements a word in that
// order, and the points' codes.
shared vec2 sums[HALVES][GROUP + 1u][64];
shared uint ranks[GROUP / 4u][64];
shared uint found[POINTS][65]; // a column more, to spread the reads over the banks of shared memory

#define own gl_LocalInvocationID.x

float level(bool down, uint digit_) { return float(int(digit_) - 1) + (down ? -0.125 : 0.125); }
vec3 levelsOf(bool down) { return vec3(level(down, 0u), level(down, 1u), level(down, 2u)); }
bool downAt(uint shifts, uint group) { return TYPE == 1 ? shifts != 0u : (shifts >> (1u - group) & 1u) != 0u; }

float weightOf(uint block, uint at) {
    float x = elementOf(block, at);
    F square = x * x;
    if (!WEIGHTED) return square;
    F sum = meanSquare[block] + square;
    F w = columnWeight(block, at) * exactSqrt(sum);
    return w;
}

// What enters sums: weights and their products with elements. The least weight that is not zero.
uint watchWeights() {
    uint minWeight = NOTHING;
    for (uint i = 0u; MARKS && i < GROUP; ++i) {
        uint at = ownLane() * GROUP + i;
        float x = element(at);
        float w = weightOf(ownBlock(), at);
        F square = x * x;
        F product = w * x;
        if (WEIGHTED) {
            watchSquare(x, square, meanSquare[ownBlock()]);
            if (weight(at) != 0.0) watchTerm(1.0, 1.0, w);
        } else {
            watchTerm(x, x, w);
        }
        watchTerm(w, x, product);
        minWeight = minOf(minWeight, w);
    }
    return minWeight;
}

// The distances of nearestOf(): levels times scale are at least scale / 8. So an element below scale / 16 is at least that far from one, and any
// other is a multiple of 2^-28 · scale, as is the level: so is what they differ by.
void watchDistances(uint minWeight, float scale) {
    F least = abs(scale) * 3.7252902984619140625e-9; // 2^-28
    F once = minValue(minWeight) * least;
    F twice = once * least;
    if (scale != 0.0) watchProduct(1.0, 1.0, twice);
}

bool isEmpty(float limit) {
    float highest = 0.0;
    for (uint i = 0u; i < GROUP; ++i) highest = max(highest, abs(element(ownLane() * GROUP + i)));
    return highest < limit;
}

// Puts the elements' numbers where they belong in ascending order; equal values keep theirs.
void sortElements() {
    float x[GROUP];
    [[unroll]] for (uint i = 0u; i < GROUP; ++i) x[i] = element(ownLane() * GROUP + i);
    for (uint k = 0u; k < GROUP / 4u; ++k) ranks[k][own] = 0u;
    for (uint i = 0u; i < GROUP; ++i) {
        float value = element(ownLane() * GROUP + i);
        uint rank = 0u;
        [[unroll]] for (uint j = 0u; j < GROUP; ++j) rank += uint(x[j] < value || (x[j] == value && j < i));
        ranks[i / 4u][own] |= rank << (8u * (i % 4u));
        float w = weightOf(ownBlock(), ownLane() * GROUP + i);
        F product = w * value;
        for (uint h = 0u; h < HALVES; ++h) {
            bool mine = HALVES == 1u || i / 8u == h;
            sums[h][rank + 1u][own] = mine ? vec2(product, w) : vec2(0.0);
        }
    }
}

// Adding the zero of another half's element changes no sum.
void addUp() {
    for (uint h = 0u; h < HALVES; ++h) {
        precise vec2 sum = vec2(0.0);
        sums[h][0][own] = sum;
        for (uint i = 1u; i <= GROUP; ++i) {
            sum += sums[h][i][own];
            sums[h][i][own] = sum;
        }
    }
}

uint rankOf(uint i) { return ranks[i / 4u][own] >> (8u * (i % 4u)) & 255u; }

struct Cuts {
    uint cut1, cut2, shifts;
    float qx, qq; // whose quotient is the scale; nothing was found where qq is 0
    float best;   // how well they fit
    bool unsure;
};

const Cuts noCuts = Cuts(0u, 0u, 0u, 0.0, 0.0, -1e20, false); // fit worse than any

// Takes a pair of cuts that fits better. The reference compares with the rounded scale · qx.
void considerExactly(float qx, float qq, uint a, uint b, uint shifts, inout Cuts cuts) {
    F left = qx * qx;
    F right = cuts.best * qq;
    watchProduct(qx, qx, left);
    watchProduct(cuts.best, qq, right);
    if (!(qq > 0.0 && left > right)) return;
    float scale = exactDivide(qx, qq);
    F best = scale * qx;
    watch(scale);
    watchProduct(scale, qx, best);
    cuts = Cuts(a, b, shifts, qx, qq, best, false);
}

// The same with the device's own division. Where that does not decide it is unsure which cuts are the best, until others are clearly
// better than all of these, as are most: ties are usual among the first. What is below 1e-30 decides nothing, so nothing that vanishes does.
void consider(float qx, float qq, uint a, uint b, uint shifts, inout Cuts cuts) {
    F left = qx * qx;
    F right = cuts.best * qq;
    F apart = left - right;
    float slack = 2e-6 * abs(right) + 1e-30;
    if (!(qq > 0.0) || apart < -slack) return;
    float fit = qx / qq * qx;
    float best = fit < 1e37 ? max(cuts.best, fit) : uintBitsToFloat(infinityBits);
    if (apart > slack) cuts = Cuts(a, b, shifts, qx, qq, best, false);
    else cuts.unsure = true;
    cuts.best = best;
}

void considerAs(bool exact, float qx, float qq, uint a, uint b, uint shifts, inout Cuts cuts) {
    if (exact) considerExactly(qx, qq, a, b, shifts, cuts);
    else consider(qx, qq, a, b, shifts, cuts);
}

vec2 sumsAt(uint h, uint i) { return sums[h][i][own]; }

#if TYPE == 1
void tryCuts(bool exact, uint a, uint b, vec2 sumA, vec2 all, inout Cuts cuts) {
    vec2 sumB = sumsAt(0u, b);
    precise vec2 middle = sumB - sumA, upper = all - sumB;
    [[unroll]] for (uint down = 0u; down < 2u; ++down) {
        vec3 q = levelsOf(down != 0u);
        F qx = sumA.x * q.x + middle.x * q.y + upper.x * q.z;
        F qq = sumA.y * q.x * q.x + middle.y * q.y * q.y + upper.y * q.z * q.z;
        considerAs(exact, qx, qq, a, b, down, cuts);
    }
}

Cuts searchCuts(bool exact) {
    Cuts cuts = noCuts;
    vec2 all = sumsAt(0u, 32u);
    for (uint a = 0u; a <= 32u; ++a) {
        vec2 sumA = sumsAt(0u, a);
        for (uint b = a; b <= 32u; ++b) tryCuts(exact, a, b, sumA, all, cuts);
    }
    return cuts;
}
#else
vec2 halfAt(vec2 all, vec2 a, vec2 b, bool down) {
    vec3 q = levelsOf(down);
    F below = a.x + b.x;
    F x = all.x * q.z - below;
    F w = all.y * q.z * q.z + a.y * (q.x * q.x - q.y * q.y) + b.y * (q.y * q.y - q.z * q.z);
    return vec2(x, w);
}

struct Halves {
    vec2 first, second;
};

Halves halvesAt(uint i) { return Halves(sumsAt(0u, i), sumsAt(1u, i)); }

void tryCuts(bool exact, uint a, uint b, Halves sumA, Halves all, inout Cuts cuts) {
    Halves sumB = halvesAt(b);
    vec2 first[2], second[2];
    [[unroll]] for (uint down = 0u; down < 2u; ++down) {
        first[down] = halfAt(all.first, sumA.first, sumB.first, down != 0u);
        second[down] = halfAt(all.second, sumA.second, sumB.second, down != 0u);
    }
    [[unroll]] for (uint shifts = 0u; shifts < 4u; ++shifts) {
        precise vec2 both = first[shifts >> 1] + second[shifts & 1u];
        considerAs(exact, both.x, both.y, a, b, shifts, cuts);
    }
}

Cuts searchCuts(bool exact) {
    Cuts cuts = noCuts;
    Halves all = halvesAt(16u);
    for (uint a = 0u; a <= 16u; ++a) {
        Halves sumA = halvesAt(a);
        for (uint b = a; b <= 16u; ++b) tryCuts(exact, a, b, sumA, all, cuts);
    }
    return cuts;
}
#endif

// Its weights pass through the memory of the sums, which are no longer needed: the square root is too long to be unrolled.
Point pointAt(uint k) {
    Point p;
    [[unroll]] for (uint i = 0u; i < 8u; ++i) p.x[i] = element(ownLane() * GROUP + 8u * k + i);
    for (uint i = 0u; i < 8u; ++i) sums[0][i][own].y = weightOf(ownBlock(), ownLane() * GROUP + 8u * k + i);
    [[unroll]] for (uint i = 0u; i < 8u; ++i) p.weight[i] = sums[0][i][own].y;
    return p;
}

// The code of point k, each digit by where the cuts put its element, or of the nearest neighbor; adds it to the sums.
void choosePoint(uint k, Cuts cuts, bool flip, float scale, bool down, inout bool moved, inout float qx, inout float qq) {
    uint code = 0u;
    for (uint i = 0u; i < 8u; ++i) {
        uint rank = rankOf(8u * k + i);
        uint digit_ = uint(rank >= cuts.cut1) + uint(rank >= cuts.cut2);
        code |= (flip ? 2u - digit_ : digit_) << (2u * i);
    }
    Point p = pointAt(k);
    uint place = placeWithAllNeighbors(code);
    if ((place & IS_POINT) == 0u) {
        code = nearestOf(place, p, scale, levelsOf(down));
        moved = true;
    }
    found[k][own] = code;
    F x = qx;
    F w = qq;
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
        float q = level(down, digit(code, i));
        x += p.weight[i] * q * p.x[i];
        w += p.weight[i] * q * q;
    }
    qx = x;
    qq = w;
}

// The scale, with shifts; 0 where the sub-block is skipped.
float fitSubBlock(out uint shifts) {
    shifts = 0u;
    for (uint k = 0u; k < POINTS; ++k) found[k][own] = 0u;
    if (isEmpty(TYPE == 1 ? 1e-12 : 1e-7)) return 0.0;
    uint minWeight = watchWeights();
    sortElements();
    addUp();
    Cuts cuts = searchCuts(false);
    if (cuts.unsure) cuts = searchCuts(true);
    if (cuts.qq == 0.0) return 0.0;
    float scale = exactDivide(cuts.qx, cuts.qq);
    watchCoarse(scale);
    watchDistances(minWeight, scale);
    bool flip = scale < 0.0;
    shifts = flip ? (TYPE == 1 ? 1u : 3u) - cuts.shifts : cuts.shifts;
    bool moved = false;
    float qx = 0.0, qq = 0.0;
    for (uint k = 0u; k < POINTS; ++k) choosePoint(k, cuts, flip, abs(scale), downAt(shifts, k), moved, qx, qq);
    float fitted_ = moved && qx > 0.0 && qq > 0.0 ? exactDivide(qx, qq) : abs(scale);
    watchCoarse(fitted_);
    return fitted_;
}

uint pointCode(uint block, uint at) { return found[at % POINTS][block * LANES + at / POINTS]; }
uint pointOf(uint block, uint at) { return placeOf(pointCode(block, at)) & ~IS_POINT; }

// One invocation a block.
void quantizeScales(uint block) {
    float highest = 0.0;
    for (uint b = 0u; b < LANES; ++b) {
        if (highest < fitted[block][b]) highest = fitted[block][b];
    }
    empty[block] = !(highest > 0.0);
    float d = exactDivide(highest, 15.0);
    float inverse = empty[block] ? 0.0 : exactDivide(1.0, d);
    watch(d);
    watch(inverse);
    for (uint b = 0u; b < LANES; ++b) {
        F moved = 0.5 * (inverse * fitted[block][b] - 1.0);
        scaleCodes[block][b] = empty[block] ? 0u : uint(clamp(nearestInt(moved), 0, 7));
    }
    superScale[block] = d;
}

// IQ1_M: what each element adds to the sums that the super-scale follows from.
void setTerms() {
    float factor = float(2u * scaleCodes[ownBlock()][ownLane()] + 1u);
    for (uint i = 0u; i < GROUP; ++i) {
        uint at = ownLane() * GROUP + i;
        F q = level(downAt(shiftsOf[ownBlock()][ownLane()], i / 8u), digit(pointCode(ownBlock(), at / 8u), i % 8u)) * factor;
        F weighted = weightOf(ownBlock(), at) * q;
        precise vec2 terms = vec2(weighted * element(at), weighted * q);
        sums[0][i][own] = terms;
    }
}

// IQ1_M: the super-scale that fits the stored codes best, over the whole block in index order.
void refitSuperScale(uint block) {
    precise vec2 sum = vec2(0.0);
    for (uint at = 0u; at < 256u; ++at) sum += sums[0][at % GROUP][block * LANES + at / GROUP];
    if (sum.y > 0.0) superScale[block] = exactDivide(sum.x, sum.y);
    watch(superScale[block]);
}

void storeSuperScale(uint block) {
    F stored = superScale[block] * (TYPE == 1 ? 1.125 : 1.1125);
    unit[block] = TYPE == 2 && empty[block] ? 0u : f16Bits(stored);
}

uint byteOf(uint block, uint at) {
#if TYPE == 1
    if (at < 2u) return unit[block] >> (8u * at);
    if (at < 34u) return pointOf(block, at - 2u);
    uint b = (at - 34u) / 2u;
    uint tail = empty[block] ? 0u : (scaleCodes[block][b] | shiftsOf[block][b] << 3) << 12;
    for (uint k = 0u; k < 4u; ++k) tail |= pointOf(block, 4u * b + k) >> 8 << (3u * k);
    return tail >> (8u * (at % 2u));
#else
    if (at < 32u) return pointOf(block, at);
    if (at < 48u) {
        uint j = at - 32u;
        uint high = pointOf(block, 2u * j) >> 8 | pointOf(block, 2u * j + 1u) >> 8 << 4;
        return empty[block] ? high : high | (shiftsOf[block][j] >> 1 & 1u) << 3 | (shiftsOf[block][j] & 1u) << 7;
    }
    if (empty[block]) return 0u;
    uint k = (at - 48u) / 2u;
    uint word = (unit[block] >> (4u * k) & 15u) << 12;
    for (uint j = 0u; j < 4u; ++j) word |= scaleCodes[block][4u * k + j] << (3u * j);
    return word >> (8u * (at % 2u));
#endif
}

void main() {
    if (WEIGHTED) findMeanSquares(2.0, 256.0);
    barrier();
    watchGroup();
    uint shifts;
    fitted[ownBlock()][ownLane()] = fitSubBlock(shifts);
    shiftsOf[ownBlock()][ownLane()] = shifts;
    report(ownBlock());
    barrier();
    if (own < BLOCKS) quantizeScales(own);
    barrier();
    if (TYPE == 2) setTerms();
    barrier();
    if (TYPE == 2 && own < BLOCKS) refitSuperScale(own);
    if (own < BLOCKS) {
        storeSuperScale(own);
        report(own);
    }
    barrier();
    writeBlocks();
}
