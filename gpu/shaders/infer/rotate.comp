// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// Rotates heads by the angles of their positions (specs/inference.md 3): queries stay f32 rows; keys, and values, which are not
// rotated, go into the cache as [head][position][length] of f16. One invocation a pair of elements that lie side by side.
// Twins: rotate and toF16 of core/infer/cpu/kernels.h.
#include "infer/batch.h"
#include "infer/half.glsl"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const bool STORES = false; // into the cache
layout(constant_id = 1) const bool HALVES = false; // pairs are (j, j + pairs) instead of (2j, 2j + 1)

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) readonly buffer Rows { float rows[]; };
layout(binding = 2) readonly buffer Angles { float angles[]; }; // of each token the cosines, then the sines
layout(binding = 3) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Push {
    uint heads;     // that are dealt with, of each token
    uint firstHead; // among those of a row
    uint stride;    // of a row
    uint length_;   // of a head, even
    uint pairs;     // that are rotated; 0: none
    uint context;   // positions that the cache holds
};

float rotated(uint head, uint element, uint token) {
    float own = rows[head + element];
    if (element >= 2 * pairs) return own;
    uint j = HALVES ? element % pairs : element / 2;
    bool second = HALVES ? element >= pairs : element % 2 == 1;
    uint other = HALVES ? (second ? element - pairs : element + pairs) : element ^ 1u;
    float cosine = angles[token * 2 * pairs + j], sine = angles[(token * 2 + 1) * pairs + j];
    return own * cosine + (second ? sine : -sine) * rows[head + other];
}

void main() {
    uint index = gl_GlobalInvocationID.x, token = gl_WorkGroupID.y;
    uint words = length_ / 2;
    if (token >= batch[WB_BATCH_TOKENS] || index >= heads * words) return;
    uint head = index / words, word = index % words;
    uint from = token * stride + (firstHead + head) * length_;
    float low = rotated(from, 2 * word, token), high = rotated(from, 2 * word + 1, token);
    if (STORES) {
        result[(head * context + batch[WB_BATCH_POSITION] + token) * words + word] = f16Bits(low) | f16Bits(high) << 16;
    } else {
        result[from + 2 * word] = floatBitsToUint(low);
        result[from + 2 * word + 1] = floatBitsToUint(high);
    }
}
