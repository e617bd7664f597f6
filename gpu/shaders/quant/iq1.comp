// SPDX-License-Identifier: MIT
#version 450
// IQ1_S and IQ1_M (core/quant/encode_iq1.cpp): one invocation a sub-block of 32 or 16. TYPE is 1 for IQ1_S, 2 for IQ1_M.
#define BLOCK_ELEMENTS 256u
#if TYPE == 1
#define BLOCK_BYTES 50u
#define LANES 8u
#else
#define BLOCK_BYTES 56u
#define LANES 16u
#endif
#define DIGITS 8u
#define DIGIT_BITS 2u
#include "frame.glsl"
#include "grid.glsl"

const uint POINTS = GROUP / 8u;

shared float meanSquare[BLOCKS];
shared float fitted[BLOCKS][LANES];
shared uint shiftsOf[BLOCKS][LANES]; // IQ1_S: 1 is down; IQ1_M: bit 1 the first half, bit 0 the second
shared uint points[BLOCKS][32];
shared uint scaleCodes[BLOCKS][LANES];
shared uint unit[BLOCKS];
shared bool empty[BLOCKS];

float gx[32];
float gw[32];
uint order[32];

float level(bool down, uint digit_) { return float(int(digit_) - 1) + (down ? -0.125 : 0.125); }

void sumSquares() {
    if (ownLane() != 0u) return;
    F sum = 0.0;
    for (uint i = 0u; i < 256u; ++i) {
        float x = element(i);
        sum += x * x;
    }
    F mean = 2.0 * sum / 256.0;
    meanSquare[ownBlock()] = mean;
}

float weightAt(uint at) {
    float x = element(at);
    F square = x * x;
    if (!WEIGHTED) return square;
    F sum = meanSquare[ownBlock()] + square;
    F own = weight(at) * exactSqrt(sum);
    return own;
}

void loadGroup() {
    for (uint i = 0u; i < GROUP; ++i) {
        gx[i] = element(ownLane() * GROUP + i);
        gw[i] = weightAt(ownLane() * GROUP + i);
    }
}

bool isEmpty(float limit) {
    float highest = 0.0;
    for (uint i = 0u; i < GROUP; ++i) highest = max(highest, abs(gx[i]));
    return highest < limit;
}

// Indices by ascending value; equal values keep their order.
void sortValues() {
    for (uint i = 0u; i < GROUP; ++i) {
        uint at = i;
        while (at > 0u && gx[i] < gx[order[at - 1u]]) {
            order[at] = order[at - 1u];
            at -= 1u;
        }
        order[at] = i;
    }
}

uint nearestNeighbour(uint list, uint first, float scale, bool down) {
    float best = uintBitsToFloat(0x7f7fffffu);
    uint nearest = 0u;
    uint count = listWord(list);
    for (uint n = 1u; n <= count; ++n) {
        uint point = listWord(list + n);
        uint candidate = codeOfPoint(point);
        F distance_ = 0.0;
        for (uint i = 0u; i < 8u; ++i) {
            F e = scale * level(down, digit(candidate, i)) - gx[first + i];
            distance_ += gw[first + i] * e * e;
        }
        if (distance_ < best) {
            best = distance_;
            nearest = point;
        }
    }
    return nearest;
}

struct Cuts {
    bool found;
    uint cut1, cut2, shifts;
    float scale;
};

bool downAt(uint shifts, uint group) { return TYPE == 1 ? shifts != 0u : (shifts >> (1u - group) & 1u) != 0u; }

#if TYPE == 1
Cuts searchCuts() {
    float sumX[33];
    float sumW[33];
    sumX[0] = 0.0;
    sumW[0] = 0.0;
    for (uint i = 0u; i < 32u; ++i) {
        F x = sumX[i] + gw[order[i]] * gx[order[i]];
        F w = sumW[i] + gw[order[i]];
        sumX[i + 1u] = x;
        sumW[i + 1u] = w;
    }
    Cuts cuts = Cuts(false, 0u, 0u, 0u, 0.0);
    F best = uintBitsToFloat(0xff7fffffu);
    for (uint a = 0u; a <= 32u; ++a) {
        for (uint b = a; b <= 32u; ++b) {
            for (uint down = 0u; down < 2u; ++down) {
                float q0 = level(down != 0u, 0u), q1 = level(down != 0u, 1u), q2 = level(down != 0u, 2u);
                F qx = (sumX[a] - sumX[0]) * q0 + (sumX[b] - sumX[a]) * q1 + (sumX[32] - sumX[b]) * q2;
                F qq = (sumW[a] - sumW[0]) * q0 * q0 + (sumW[b] - sumW[a]) * q1 * q1 + (sumW[32] - sumW[b]) * q2 * q2;
                F left = qx * qx;
                F right = best * qq;
                if (!(qq > 0.0 && left > right)) continue;
                float scale = exactDivide(qx, qq);
                best = scale * qx;
                cuts = Cuts(true, a, b, down, scale);
            }
        }
    }
    return cuts;
}
#else
float sumX[2][17];
float sumW[2][17];

void prefixSums() {
    for (uint h = 0u; h < 2u; ++h) {
        sumX[h][0] = 0.0;
        sumW[h][0] = 0.0;
    }
    for (uint i = 0u; i < 16u; ++i) {
        uint e = order[i];
        for (uint h = 0u; h < 2u; ++h) {
            F x = sumX[h][i];
            F w = sumW[h][i];
            if (e / 8u == h) {
                x += gw[e] * gx[e];
                w += gw[e];
            }
            sumX[h][i + 1u] = x;
            sumW[h][i + 1u] = w;
        }
    }
}

void halfAt(uint h, uint a, uint b, bool down, out float qx, out float qq) {
    float q0 = level(down, 0u), q1 = level(down, 1u), q2 = level(down, 2u);
    F below = sumX[h][a] + sumX[h][b];
    F x = sumX[h][16] * q2 - below;
    F w = sumW[h][16] * q2 * q2 + sumW[h][a] * (q0 * q0 - q1 * q1) + sumW[h][b] * (q1 * q1 - q2 * q2);
    qx = x;
    qq = w;
}

Cuts searchCuts() {
    prefixSums();
    Cuts cuts = Cuts(false, 0u, 0u, 0u, 0.0);
    F best = uintBitsToFloat(0xff7fffffu);
    for (uint a = 0u; a <= 16u; ++a) {
        for (uint b = a; b <= 16u; ++b) {
            for (uint shifts = 0u; shifts < 4u; ++shifts) {
                float x0, w0, x1, w1;
                halfAt(0u, a, b, downAt(shifts, 0u), x0, w0);
                halfAt(1u, a, b, downAt(shifts, 1u), x1, w1);
                F qx = x0 + x1;
                F qq = w0 + w1;
                F left = qx * qx;
                F right = best * qq;
                if (!(qq > 0.0 && left > right)) continue;
                float scale = exactDivide(qx, qq);
                best = scale * qx;
                cuts = Cuts(true, a, b, shifts, scale);
            }
        }
    }
    return cuts;
}
#endif

void addPoint(inout float qx, inout float qq, uint group, uint code, bool down) {
    F x = qx;
    F w = qq;
    for (uint i = 0u; i < 8u; ++i) {
        uint at = 8u * group + i;
        float q = level(down, digit(code, i));
        x += gw[at] * q * gx[at];
        w += gw[at] * q * q;
    }
    qx = x;
    qq = w;
}

void keep(uint own[4], float scale, uint shifts) {
    for (uint k = 0u; k < POINTS; ++k) points[ownBlock()][ownLane() * POINTS + k] = own[k];
    fitted[ownBlock()][ownLane()] = scale;
    shiftsOf[ownBlock()][ownLane()] = shifts;
}

void fitSubBlock() {
    uint own[4] = uint[4](0u, 0u, 0u, 0u);
    keep(own, 0.0, 0u);
    if (isEmpty(TYPE == 1 ? 1e-12 : 1e-7)) return;
    sortValues();
    Cuts cuts = searchCuts();
    if (!cuts.found) return;
    uint codes[4] = uint[4](0u, 0u, 0u, 0u);
    bool flip = cuts.scale < 0.0;
    for (uint i = 0u; i < GROUP; ++i) {
        uint digit_ = i < cuts.cut1 ? 0u : i < cuts.cut2 ? 1u : 2u;
        if (flip) digit_ = 2u - digit_;
        codes[order[i] / 8u] |= digit_ << (2u * (order[i] % 8u));
    }
    float scale = flip ? -cuts.scale : cuts.scale;
    uint shifts = flip ? (TYPE == 1 ? 1u : 3u) - cuts.shifts : cuts.shifts;
    bool moved = false;
    for (uint k = 0u; k < POINTS; ++k) {
        int place = mapOf(codes[k]);
        moved = moved || place < 0;
        own[k] = place >= 0 ? uint(place) : nearestNeighbour(uint(-1 - place), 8u * k, scale, downAt(shifts, k));
    }
    if (moved) {
        float qx = 0.0, qq = 0.0;
        for (uint k = 0u; k < POINTS; ++k) addPoint(qx, qq, k, codeOfPoint(own[k]), downAt(shifts, k));
        if (qx > 0.0 && qq > 0.0) scale = exactDivide(qx, qq);
    }
    keep(own, scale, shifts);
}

// IQ1_M: the super-scale that fits the stored codes best, over the whole block in index order.
float refitSuperScale(float d) {
    uint block = ownBlock();
    F qx = 0.0;
    F qq = 0.0;
    for (uint at = 0u; at < 256u; ++at) {
        uint j = at / GROUP, group = at % GROUP / 8u;
        float factor = float(2u * scaleCodes[block][j] + 1u);
        F q = level(downAt(shiftsOf[block][j], group), digit(codeOfPoint(points[block][at / 8u]), at % 8u)) * factor;
        float w = weightAt(at);
        qx += w * q * element(at);
        qq += w * q * q;
    }
    return qq > 0.0 ? exactDivide(qx, qq) : d;
}

void quantizeScales() {
    uint block = ownBlock();
    float highest = 0.0;
    for (uint b = 0u; b < LANES; ++b) {
        if (highest < fitted[block][b]) highest = fitted[block][b];
    }
    empty[block] = !(highest > 0.0);
    float d = exactDivide(highest, 15.0);
    float inverse = empty[block] ? 0.0 : exactDivide(1.0, d);
    for (uint b = 0u; b < LANES; ++b) {
        F moved = 0.5 * (inverse * fitted[block][b] - 1.0);
        scaleCodes[block][b] = empty[block] ? 0u : uint(clamp(nearestInt(moved), 0, 7));
    }
#if TYPE == 1
    F stored = d * 1.125;
    unit[block] = f16Bits(stored);
#else
    F stored = empty[block] ? 0.0 : refitSuperScale(d) * 1.1125;
    unit[block] = f16Bits(stored);
#endif
}

uint byteOf(uint block, uint at) {
#if TYPE == 1
    if (at < 2u) return unit[block] >> (8u * at);
    if (at < 34u) return points[block][at - 2u];
    uint b = (at - 34u) / 2u;
    uint tail = empty[block] ? 0u : (scaleCodes[block][b] | shiftsOf[block][b] << 3) << 12;
    for (uint k = 0u; k < 4u; ++k) tail |= points[block][4u * b + k] >> 8 << (3u * k);
    return tail >> (8u * (at % 2u));
#else
    if (at < 32u) return points[block][at];
    if (at < 48u) {
        uint j = at - 32u;
        uint high = points[block][2u * j] >> 8 | points[block][2u * j + 1u] >> 8 << 4;
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
    sumSquares();
    barrier();
    loadGroup();
    fitSubBlock();
    barrier();
    if (ownLane() == 0u) quantizeScales();
    barrier();
    writeBlocks();
}
