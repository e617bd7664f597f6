// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#include "stats_tile.h"

// The first pass over decoded values, one workgroup a tile: counts, extremes, sums for the moments, and the radix histogram of the
// finite values. Kinds and order are decided on bits, so that no flush mode changes them.
layout(local_size_x = 128) in;

layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) writeonly buffer Tiles { uint tiles[]; };
layout(binding = 2) buffer Radix { uint radix[]; };
layout(push_constant) uniform Push {
    uint count;
    uint smallestNormal; // bits of the smallest magnitude that is not subnormal in the stored type
};

#include "float_bits.glsl"
#include "sort_key.glsl"
#include "scaled.glsl"

shared uint nans, infs, zeros, subnormals, minKey, maxKey, absmax;
shared vec4 sums[gl_WorkGroupSize.x];

uint tileFirst() { return gl_WorkGroupID.x * WB_TILE_ELEMENTS; }
uint tileEnd() { return min(tileFirst() + WB_TILE_ELEMENTS, count); }

void countKinds() {
    uint myZeros = 0, mySubnormals = 0, myMin = 0xFFFFFFFFu, myMax = 0, myAbsmax = 0;
    uint table = gl_WorkGroupID.x % WB_RADIX_TABLES * WB_RADIX_BINS;
    for (uint i = tileFirst() + gl_LocalInvocationID.x; i < tileEnd(); i += gl_WorkGroupSize.x) {
        uint bits = values[i];
        uint magnitude = magnitudeOf(bits);
        if (magnitude >= infinityBits) {
            if (magnitude > infinityBits) atomicAdd(nans, 1);
            else atomicAdd(infs, 1);
            continue;
        }
        uint key = sortKeyOf(bits);
        myZeros += uint(magnitude == 0);
        mySubnormals += uint(magnitude != 0 && magnitude < smallestNormal);
        myMin = min(myMin, key);
        myMax = max(myMax, key);
        myAbsmax = max(myAbsmax, magnitude);
        atomicAdd(radix[table + (key >> 16)], 1);
    }
    atomicAdd(zeros, myZeros);
    atomicAdd(subnormals, mySubnormals);
    atomicMin(minKey, myMin);
    atomicMax(maxKey, myMax);
    atomicMax(absmax, myAbsmax);
}

// The sum over the workgroup, in pairs.
vec4 summed(vec4 mine) {
    sums[gl_LocalInvocationID.x] = mine;
    barrier();
    for (uint half_ = gl_WorkGroupSize.x / 2; half_ > 0; half_ /= 2) {
        if (gl_LocalInvocationID.x < half_) sums[gl_LocalInvocationID.x] += sums[gl_LocalInvocationID.x + half_];
        barrier();
    }
    vec4 total = sums[0];
    barrier();
    return total;
}

// A value near the mean of the scaled ones; the host makes up for what rounding takes from it.
float pivotOf(int exponent, uint finite) {
    precise float total = 0;
    for (uint i = tileFirst() + gl_LocalInvocationID.x; i < tileEnd(); i += gl_WorkGroupSize.x)
        if (isFinite(values[i])) total += scaled(values[i], exponent);
    return summed(vec4(total, 0, 0, 0)).x / float(max(finite, 1));
}

// The sums of the powers of x - pivot. Eight terms at a time, so that no sum is long.
vec4 powerSums(int exponent, float pivot) {
    precise vec4 total = vec4(0);
    precise vec4 part = vec4(0);
    uint terms = 0;
    for (uint i = tileFirst() + gl_LocalInvocationID.x; i < tileEnd(); i += gl_WorkGroupSize.x) {
        if (!isFinite(values[i])) continue;
        precise float d = scaled(values[i], exponent) - pivot;
        precise float d2 = d * d;
        part += vec4(d, d2, d2 * d, d2 * d2);
        if (++terms % 8 == 0) {
            total += part;
            part = vec4(0);
        }
    }
    return summed(total + part);
}

void write(uint word, uint value) { tiles[gl_WorkGroupID.x * WB_TILE_WORDS + word] = value; }

void main() {
    bool first = gl_LocalInvocationID.x == 0;
    if (first) {
        nans = infs = zeros = subnormals = maxKey = absmax = 0;
        minKey = 0xFFFFFFFFu;
    }
    barrier();
    countKinds();
    barrier();
    int exponent = absmax == 0 ? 0 : exponentOf(absmax);
    uint finite = tileEnd() - tileFirst() - nans - infs;
    float pivot = pivotOf(exponent, finite);
    vec4 powers = powerSums(exponent, pivot);
    if (!first) return;
    write(WB_TILE_NAN, nans);
    write(WB_TILE_INF, infs);
    write(WB_TILE_ZEROS, zeros);
    write(WB_TILE_SUBNORMALS, subnormals);
    write(WB_TILE_MIN, minKey);
    write(WB_TILE_MAX, maxKey);
    write(WB_TILE_ABSMAX, absmax);
    write(WB_TILE_EXPONENT, uint(exponent));
    write(WB_TILE_PIVOT, floatBitsToUint(pivot));
    write(WB_TILE_SUM1, floatBitsToUint(powers.x));
    write(WB_TILE_SUM2, floatBitsToUint(powers.y));
    write(WB_TILE_SUM3, floatBitsToUint(powers.z));
    write(WB_TILE_SUM4, floatBitsToUint(powers.w));
}
