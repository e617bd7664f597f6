// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// The positions that a token sees (IndexOp of core/infer/graph/index_operations.h): those of the `best` blocks with the largest scores, of
// equal ones the first, then those of the incomplete block, ascending. One workgroup a token finds the smallest chosen score digit
// by digit, then writes what is above it, and of its equals as many as are missing. Twin: selectTokens of core/infer/cpu/indexer.cpp.
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) readonly buffer Scores { float scores[]; };       // [token of the dispatch][stride]
layout(binding = 2) writeonly buffer Selected { uint selected[]; };   // [token][selectedStride]
layout(binding = 3) writeonly buffer Counts { uint counts[]; };       // [token]; 0: all positions
layout(push_constant) uniform Push { uint block, best, firstToken, stride, selectedStride; };

shared uint histogram[256];
shared uint chosenDigit, missing;
shared uint flags[WB_LANES];

// Unsigned numbers in the order of the floats.
uint orderOf(float score) {
    uint bits = floatBitsToUint(score);
    return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
}

// The next digit of the smallest chosen score after the prefix; `missing` becomes the number of chosen ones that share it.
uint chooseDigit(uint row, uint keys, uint shift, uint prefix) {
    uint lane = gl_LocalInvocationID.x;
    for (uint i = lane; i < 256; i += WB_LANES) histogram[i] = 0;
    barrier();
    for (uint key = lane; key < keys; key += WB_LANES) {
        uint order = orderOf(scores[row + key]);
        bool isOne = shift == 24 || order >> (shift + 8) == prefix;
        if (isOne) atomicAdd(histogram[order >> shift & 255u], 1);
    }
    barrier();
    if (lane == 0) {
        uint digit = 255;
        while (histogram[digit] < missing) missing -= histogram[digit--];
        chosenDigit = digit;
    }
    barrier();
    uint digit = chosenDigit;
    barrier();
    return digit;
}

void main() {
    uint token = firstToken + gl_WorkGroupID.x, lane = gl_LocalInvocationID.x, row = gl_WorkGroupID.x * stride;
    if (token >= batch[WB_BATCH_TOKENS]) return;
    uint position = batch[WB_BATCH_POSITION] + token, keys = (position + 1) / block;
    if (keys <= best) {
        if (lane == 0) counts[token] = 0;
        return;
    }
    if (lane == 0) missing = best;
    barrier();
    uint least = 0;
    for (int shift = 24; shift >= 0; shift -= 8) least = least << 8 | chooseDigit(row, keys, uint(shift), least);
    uint equals = missing, written = 0, to = token * selectedStride; // of those that equal the least
    for (uint tile = 0; tile < keys; tile += WB_LANES) {
        uint key = tile + lane, order = key < keys ? orderOf(scores[row + key]) : 0;
        flags[lane] = key >= keys ? 0 : order > least ? 1 : order == least ? 0x10000u : 0;
        barrier();
        uint below = 0, all = 0;
        for (uint i = 0; i < WB_LANES; ++i) {
            if (i == lane) below = all;
            all += flags[i];
        }
        bool chosen = flags[lane] == 1 || (flags[lane] != 0 && below >> 16 < equals);
        uint place = written + (below & 0xFFFFu) + min(below >> 16, equals);
        for (uint i = 0; chosen && i < block; ++i) selected[to + place * block + i] = key * block + i;
        uint taken = min(all >> 16, equals);
        written += (all & 0xFFFFu) + taken;
        equals -= taken;
        barrier();
    }
    uint rest = position + 1 - keys * block;
    for (uint i = lane; i < rest; i += WB_LANES) selected[to + best * block + i] = keys * block + i;
    if (lane == 0) counts[token] = best * block + rest;
}
