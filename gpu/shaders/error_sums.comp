// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#include "error_tile.h"

// What decoded values differ from their source by, one workgroup a tile. Products are formed without loss (Dekker) and summed in two
// floats each, which is as exact as f64 for this few values.
layout(local_size_x = 128) in;

layout(binding = 0) readonly buffer Source { uint source[]; };
layout(binding = 1) readonly buffer Decoded { uint decoded[]; };
layout(binding = 2) writeonly buffer Tiles { uint tiles[]; };
layout(binding = 3) readonly buffer Marks { uint marks[]; }; // a bit a block
layout(push_constant) uniform Push {
    uint count;
    uint ofBlock; // elements of a block with a bit in `marks`: marked ones are omitted; 0 where nothing is marked
};

#include "float_bits.glsl"
#include "scaled.glsl"

shared uint largest, bad;
shared vec4 highs[gl_WorkGroupSize.x], lows[gl_WorkGroupSize.x];

uint tileFirst() { return gl_WorkGroupID.x * WB_ERROR_TILE_ELEMENTS; }
uint tileEnd() { return min(tileFirst() + WB_ERROR_TILE_ELEMENTS, count); }

bool isLeftOut(uint i) {
    if (ofBlock == 0u) return false;
    uint block = i / ofBlock;
    return (marks[block / 32u] >> (block % 32u) & 1u) != 0u;
}

// a + b and what its rounding loses, for all four sums at once (Knuth).
void addTo(inout vec4 high, inout vec4 low, vec4 x, vec4 rest) {
    precise vec4 total = high + x;
    precise vec4 part = total - high;
    precise vec4 lost = (high - (total - part)) + (x - part);
    precise vec4 sum = low + (lost + rest);
    high = total;
    low = sum;
}

// a · b and what its rounding loses. The magnitudes are below 2^13, so nothing overflows.
vec2 product(float a, float b) {
    precise float p = a * b;
    precise float ta = 4097.0 * a, tb = 4097.0 * b;
    precise float ah = ta - (ta - a), bh = tb - (tb - b);
    precise float al = a - ah, bl = b - bh;
    precise float lost = ((ah * bh - p) + ah * bl + al * bh) + al * bl;
    return vec2(p, lost);
}

void findScale() {
    uint most = 0, kinds = 0;
    for (uint i = tileFirst() + gl_LocalInvocationID.x; i < tileEnd(); i += gl_WorkGroupSize.x) {
        if (isLeftOut(i)) continue;
        uint w = magnitudeOf(source[i]), v = magnitudeOf(decoded[i]);
        if (w >= infinityBits) kinds |= 1u;
        else most = max(most, w);
        if (v >= infinityBits) kinds |= 2u;
        else most = max(most, v);
    }
    atomicMax(largest, most);
    if (kinds != 0u) atomicOr(bad, kinds);
}

void sumUp(int exponent) {
    vec4 high = vec4(0), low = vec4(0);
    for (uint i = tileFirst() + gl_LocalInvocationID.x; i < tileEnd(); i += gl_WorkGroupSize.x) {
        if (isLeftOut(i)) continue;
        float w = scaled(source[i], exponent), v = scaled(decoded[i], exponent);
        precise float e = v - w;
        precise float part = e - v;
        precise float eLost = (v - (e - part)) - (w + part);
        vec2 e2 = product(e, e), w2 = product(w, w), v2 = product(v, v), wv = product(w, v);
        precise float cross = 2.0 * e * eLost;
        addTo(high, low, vec4(e2.x, w2.x, v2.x, wv.x), vec4(e2.y + cross, w2.y, v2.y, wv.y));
    }
    highs[gl_LocalInvocationID.x] = high;
    lows[gl_LocalInvocationID.x] = low;
    barrier();
    for (uint half_ = gl_WorkGroupSize.x / 2; half_ > 0; half_ /= 2) {
        if (gl_LocalInvocationID.x < half_) {
            high = highs[gl_LocalInvocationID.x];
            low = lows[gl_LocalInvocationID.x];
            addTo(high, low, highs[gl_LocalInvocationID.x + half_], lows[gl_LocalInvocationID.x + half_]);
            highs[gl_LocalInvocationID.x] = high;
            lows[gl_LocalInvocationID.x] = low;
        }
        barrier();
    }
}

void main() {
    if (gl_LocalInvocationID.x == 0) largest = bad = 0;
    barrier();
    findScale();
    barrier();
    int exponent = largest == 0 ? 0 : exponentOf(largest);
    if (bad == 0) sumUp(exponent);
    if (gl_LocalInvocationID.x != 0) return;
    uint at = gl_WorkGroupID.x * WB_ERROR_TILE_WORDS;
    tiles[at + WB_ERROR_EXPONENT] = uint(exponent);
    tiles[at + WB_ERROR_BAD] = bad;
    for (uint sum = 0; sum < 4; ++sum) {
        tiles[at + WB_ERROR_SUMS + 2 * sum] = floatBitsToUint(highs[0][sum]);
        tiles[at + WB_ERROR_SUMS + 2 * sum + 1] = floatBitsToUint(lows[0][sum]);
    }
}
