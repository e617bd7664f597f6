// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// Rotates heads: queries stay f32 rows; keys, and values, which are not rotated, go into the cache as [head][position] of CACHE. One
// invocation a pair of elements that are side by side, or in Q8_0 a group that shares a scale.
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const bool STORES = false; // into the cache
layout(constant_id = 1) const bool HALVES = false;
layout(constant_id = 2) const uint CACHE = WB_CACHE_F16; // F32 for other rows
layout(constant_id = 3) const bool FACTORS = false; // the result, times a factor of the token
#include "infer/rotate.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) readonly buffer Rows { float rows[]; };
layout(binding = 2) readonly buffer Angles { float angles[]; }; // of each token the cosines, then the sines
layout(binding = 3) writeonly buffer Out { uint result[]; };
layout(binding = 4) readonly buffer Factors { float factors[]; };
layout(push_constant) uniform Push {
    uint heads;     // that are dealt with, of each token
    uint firstHead; // among those of a row
    uint stride;    // from one token's row to the next one's
    uint length_;   // of a head, even
    uint pairs;     // that are rotated; 0: none
    uint context;   // positions that the cache holds
    uint first;     // of the heads in a row
    uint headStride; // from one head to the next
    uint begin;     // element of a head from which on it is rotated, even
    uint toStride, toFirst, toHead; // the same of the result where it is no cache
};

uint headBegin, anglesBegin;

float headNumber(uint element) { return rows[headBegin + element]; }

float angleAt(uint index) { return angles[anglesBegin + index]; }

void putWord(uint at, uint word) { result[at] = word; }

void main() {
    uint index = gl_GlobalInvocationID.x, token = gl_WorkGroupID.y, parts = headParts(length_);
    if (token >= batch[WB_BATCH_TOKENS] || index >= heads * parts) return;
    uint head = index / parts;
    headBegin = token * stride + first + (firstHead + head) * headStride;
    anglesBegin = token * 2 * pairs;
    uint to = token * toStride + toFirst + head * toHead;
    if (STORES) to = (head * context + batch[WB_BATCH_POSITION] + token) * positionWords(CACHE, length_);
    putPart(Turn(begin, pairs), index % parts, length_, to, FACTORS ? factors[token] : 1.0);
}
