// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// Rotates heads by the angles of their positions (docs/reference/inference.md, "Rope"): queries stay f32 rows; keys, and values, which are not
// rotated, go into the cache as [head][position] of CACHE. One invocation a pair of elements that are side by side, or in Q8_0 a group
// that shares a scale. Twins: rotate and toF16 of core/infer/cpu/kernels/kernels.h, encodeGroup of core/infer/cpu/kv_cache.cpp.
#include "infer/batch.h"
#include "infer/cache.glsl"
#include "infer/half.glsl"
#include "exact.glsl"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const bool STORES = false; // into the cache
layout(constant_id = 1) const bool HALVES = false; // pairs are (j, j + pairs) instead of (2j, 2j + 1)
layout(constant_id = 2) const uint CACHE = WB_CACHE_F16;
layout(constant_id = 3) const bool FACTORS = false; // the result, times a factor of the token

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

float rotated(uint head, uint at, uint token) {
    float own = rows[head + at];
    if (at < begin || at - begin >= 2 * pairs) return own;
    uint element = at - begin;
    uint j = HALVES ? element % pairs : element / 2;
    bool second = HALVES ? element >= pairs : element % 2 == 1;
    uint other = HALVES ? (second ? element - pairs : element + pairs) : element ^ 1u;
    float cosine = angles[token * 2 * pairs + j], sine = angles[(token * 2 + 1) * pairs + j];
    precise float turned = own * cosine + (second ? sine : -sine) * rows[head + begin + other];
    return turned;
}

void storeGroup(uint from, uint group, uint token, uint to) {
    uint first = group * WB_CACHE_GROUP, end = min(first + WB_CACHE_GROUP, length_);
    float absmax = 0.0;
    for (uint i = first; i < end; ++i) absmax = max(absmax, abs(rotated(from, i, token)));
    float inverse = absmax > 1e-30 ? exactDivide(127.0, absmax) : 0.0;
    for (uint i = first; i < end; i += 4) {
        uint word = 0;
        for (uint k = i; k < min(i + 4, end); ++k) {
            precise float scaled = rotated(from, k, token) * inverse;
            word |= (uint(int(roundEven(scaled))) & 255u) << (8 * (k - i));
        }
        result[to + i / 4] = word;
    }
    result[to + codeWords(length_) + group] = f16Bits(exactDivide(absmax, 127.0));
}

void main() {
    uint index = gl_GlobalInvocationID.x, token = gl_WorkGroupID.y;
    bool codes = STORES && CACHE == WB_CACHE_Q8_0;
    uint parts = codes ? (length_ + WB_CACHE_GROUP - 1) / WB_CACHE_GROUP : length_ / 2;
    if (token >= batch[WB_BATCH_TOKENS] || index >= heads * parts) return;
    uint head = index / parts, part = index % parts;
    uint from = token * stride + first + (firstHead + head) * headStride;
    uint to = (head * context + batch[WB_BATCH_POSITION] + token) * positionWords(CACHE, length_);
    if (codes) {
        storeGroup(from, part, token, to);
        return;
    }
    float low = rotated(from, 2 * part, token), high = rotated(from, 2 * part + 1, token);
    if (STORES && CACHE == WB_CACHE_F16) {
        result[to + part] = f16Bits(low) | f16Bits(high) << 16;
        return;
    }
    to = (STORES ? to : token * toStride + toFirst + head * toHead) + 2 * part;
    precise vec2 both = vec2(low, high) * (FACTORS ? factors[token] : 1.0);
    result[to] = floatBitsToUint(both.x);
    result[to + 1] = floatBitsToUint(both.y);
}
