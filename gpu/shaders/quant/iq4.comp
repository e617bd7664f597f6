// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_control_flow_attributes : require
// IQ4_NL and IQ4_XS (core/quant/kernels/encode_iq4.cpp): one invocation a group of 32. TYPE is 1 for IQ4_NL, 2 for IQ4_XS.
#if TYPE == 1
#define BLOCK_ELEMENTS 32u
#define BLOCK_BYTES 18u
#define LANES 1u
#else
#define BLOCK_ELEMENTS 256u
#define BLOCK_BYTES 136u
#define LANES 8u
#endif
#include "frame.glsl"
#include "squares.glsl"

const float levels[16] = float[16](-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113);
const float emptyGroup = 1e-15;

shared float fitted[BLOCKS][LANES];
shared float superScale[BLOCKS];
shared int scaleCodes[BLOCKS][LANES];
// Word k of each invocation: of candidate k the inverse scale, then Σ w·x·l; 16 further on Σ w·l²; at last the codes.
shared uint slots[32][65]; // a column more, so that rows and columns spread over the banks of shared memory

float slot(uint k) { return uintBitsToFloat(slots[k][gl_LocalInvocationID.x]); }
void setSlot(uint k, float value) { slots[k][gl_LocalInvocationID.x] = floatBitsToUint(value); }
vec4 fourSlots(uint k) { return vec4(slot(k), slot(k + 1u), slot(k + 2u), slot(k + 3u)); }
void setFourSlots(uint k, vec4 values) {
    for (uint j = 0u; j < 4u; ++j) setSlot(k + j, values[j]);
}

// The reference goes up at y - low >= high - y. Levels are complete numbers and lie so that both differences are exact near the middle:
// the middle itself decides. A NaN takes the last level.
vec3 nearestLevels(vec3 y) {
    vec3 level = vec3(levels[0]);
    [[unroll]] for (uint i = 0u; i < 15u; ++i)
        level = mix(vec3(levels[i + 1u]), level, lessThan(y, vec3(0.5 * (levels[i] + levels[i + 1u]))));
    return level;
}

uint nearestCode(float y) {
    uint code = 0u;
    [[unroll]] for (uint i = 0u; i < 15u; ++i) code = y < 0.5 * (levels[i] + levels[i + 1u]) ? code : i + 1u;
    return code;
}

float weightOf(uint i, float x) {
    F square = x * x;
    if (!WEIGHTED) return square;
    F sum = meanSquare[ownBlock()] + square;
    F own = weight(i) * exactSqrt(sum);
    return own;
}

// What weightOf() computes, and its products with the element, which enter sums.
void watchWeights() {
    for (uint i = 0u; MARKS && i < 32u; ++i) {
        uint at = ownLane() * 32u + i;
        float x = element(at);
        float w = weightOf(at, x);
        F square = x * x;
        F product = w * x;
        if (WEIGHTED) {
            watchSquare(x, square, meanSquare[ownBlock()]);
            if (weight(at) != 0.0) watchTerm(1.0, 1.0, w);
        } else {
            watchTerm(x, x, w);
        }
        watchTerm(w, x, product);
    }
}

float signedLargest() {
    float largest = 0.0;
    for (uint i = 0u; i < 32u; ++i) {
        float x = element(ownLane() * 32u + i);
        if (abs(x) > abs(largest)) largest = x;
    }
    return largest;
}

// Candidate 0 is the start, the others are (t - 127) / largest for t = -7 … 7.
void setInverses(float largest) {
    float start = exactDivide(-largest, levels[0]);
    for (uint k = 0u; k < 16u; ++k)
        setSlot(k, exactDivide(k == 0u ? 1.0 : float(k) - 8.0 + levels[0], k == 0u ? start : largest));
}

void addFour(vec4 level, float x, float w, inout vec4 lx, inout vec4 l2) {
    precise vec4 weighted = w * level;
    precise vec4 nextLx = lx + weighted * x;
    precise vec4 nextL2 = l2 + weighted * level;
    lx = nextLx;
    l2 = nextL2;
}

// The sums of all candidates in one walk over the elements. From t = -7 to 7 an element moves by at most 134 / 120, and no two middles
// between levels are that near to each other: it has one of two levels, which are on both sides of at most one middle.
void setSums() {
    vec4 inverse[4] = vec4[4](fourSlots(0u), fourSlots(4u), fourSlots(8u), fourSlots(12u));
    vec4 lx[4] = vec4[4](vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
    vec4 l2[4] = lx;
    for (uint i = 0u; i < 32u; ++i) {
        uint at = ownLane() * 32u + i;
        float x = element(at);
        float w = weightOf(at, x);
        precise vec3 ends = vec3(inverse[0].x, inverse[0].y, inverse[3].w) * x;
        vec3 level = nearestLevels(vec3(ends.x, min(ends.y, ends.z), max(ends.y, ends.z)));
        float middle = 0.5 * (level.y + level.z);
        [[unroll]] for (uint c = 0u; c < 4u; ++c) {
            precise vec4 y = inverse[c] * x;
            vec4 nearest = mix(vec4(level.z), vec4(level.y), lessThan(y, vec4(middle)));
            if (c == 0u) nearest.x = level.x;
            addFour(nearest, x, w, lx[c], l2[c]);
        }
    }
    [[unroll]] for (uint c = 0u; c < 4u; ++c) {
        setFourSlots(4u * c, lx[c]);
        setFourSlots(4u * c + 16u, l2[c]);
    }
}

float fitScale() {
    float largest = signedLargest();
    if (abs(largest) < emptyGroup) return 0.0;
    watchWeights();
    setInverses(largest);
    setSums();
    float d = 0.0;
    float best = 0.0;
    for (uint k = 0u; k < 16u; ++k) {
        float lx = slot(k), l2 = slot(k + 16u);
        F left = lx * lx;
        F right = best * l2;
        watchProduct(lx, lx, left);
        watchProduct(best, l2, right);
        if (!(l2 > 0.0 && (k == 0u || left > right))) continue;
        d = exactDivide(lx, l2);
        F product = d * lx;
        best = product;
        watchCoarse(d);
        watchProduct(d, lx, product);
    }
    return d;
}

void storeCodes(float scale) {
    float inverse = scale != 0.0 ? exactDivide(1.0, scale) : 0.0;
    watch(inverse);
    for (uint i = 0u; i < 32u; ++i) {
        F scaled = inverse * element(ownLane() * 32u + i);
        slots[i][gl_LocalInvocationID.x] = nearestCode(scaled);
    }
}

// One invocation a block.
void chooseSuperScale(uint block) {
    float largest = 0.0;
    for (uint b = 0u; b < LANES; ++b) {
        if (abs(fitted[block][b]) > abs(largest)) largest = fitted[block][b];
    }
    F d = -largest / 32.0; // a power of two: exact on every device
    float inverse = d != 0.0 ? exactDivide(1.0, d) : 0.0;
    watchProduct(largest, 1.0, d);
    watch(inverse);
    superScale[block] = d;
    for (uint b = 0u; b < LANES; ++b) {
        F scaled = inverse * fitted[block][b];
        scaleCodes[block][b] = clamp(nearestInt(scaled), -32, 31);
    }
}

uint nibbles(uint block, uint at) {
    uint lane = block * LANES + at / 16u;
    return slots[at % 16u][lane] | slots[at % 16u + 16u][lane] << 4;
}

uint byteOf(uint block, uint at) {
    if (at < 2u) return f16Bits(superScale[block]) >> (8u * at);
#if TYPE == 1
    return nibbles(block, at - 2u);
#else
    uint bits = 0u;
    if (at < 4u) {
        for (uint k = 0u; k < 4u; ++k) bits |= uint(scaleCodes[block][4u * (at - 2u) + k] + 32) >> 4 << (2u * k);
        return bits;
    }
    if (at < 8u) {
        for (uint k = 0u; k < 2u; ++k) bits |= (uint(scaleCodes[block][2u * (at - 4u) + k] + 32) & 15u) << (4u * k);
        return bits;
    }
    return nibbles(block, at - 8u);
#endif
}

void main() {
    if (WEIGHTED) findMeanSquares(2.0 / float(BLOCK_ELEMENTS), 1.0);
    barrier();
    watchGroup();
    float scale = fitScale();
#if TYPE == 1
    superScale[ownBlock()] = scale;
    storeCodes(scale);
#else
    fitted[ownBlock()][ownLane()] = scale;
    report(ownBlock());
    barrier();
    if (gl_LocalInvocationID.x < BLOCKS) {
        chooseSuperScale(gl_LocalInvocationID.x);
        report(gl_LocalInvocationID.x);
    }
    barrier();
    // The codes follow the unrounded super-scale, not the f16 that is stored.
    F used = superScale[ownBlock()] * float(scaleCodes[ownBlock()][ownLane()]);
    storeCodes(used);
#endif
    report(ownBlock());
    barrier();
    writeBlocks();
}
