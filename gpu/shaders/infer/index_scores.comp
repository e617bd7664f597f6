// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// The scores of keys for a token (IndexOp of core/infer/graph/index_operations.h): Σ weight * max(0, query · key) over the heads. An
// invocation has one key. Twin: scoreIndex of core/infer/cpu/indexer.cpp.
#include "infer/batch.h"
#include "infer/cache.glsl"
#include "infer/half.glsl"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const uint CACHE = WB_CACHE_F16; // or F32
layout(constant_id = 1) const bool WEIGHTED = true;
layout(constant_id = 2) const bool FUSES = true;
#include "infer/exact_steps.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) readonly buffer Queries { float queries[]; }; // [token][heads][length]
layout(binding = 2) readonly buffer Weights { float weights[]; }; // [token][heads]
layout(binding = 3) readonly buffer Keys { uint keys[]; };        // [key] of CACHE
layout(binding = 4) writeonly buffer Scores { float scores[]; };  // [token of the dispatch][stride]
layout(push_constant) uniform Push { uint heads, length_, block, best, firstToken, stride; };

float dotKey(uint query, uint key) {
    uint at = key * positionWords(CACHE, length_);
    float sum = 0.0;
    for (uint d = 0; d < length_; ++d) {
        float number = CACHE == WB_CACHE_F32 ? uintBitsToFloat(keys[at + d])
                                             : halfToFloat(keys[at + d / 2] >> (16 * (d % 2)) & 0xFFFFu);
        sum = fused(queries[query + d], number, sum);
    }
    return sum;
}

void main() {
    uint key = gl_GlobalInvocationID.x, token = firstToken + gl_WorkGroupID.y;
    if (token >= batch[WB_BATCH_TOKENS]) return;
    uint count = (batch[WB_BATCH_POSITION] + token + 1) / block; // whole blocks up to the token
    if (key >= count || count <= best) return;
    precise float sum = 0.0;
    for (uint h = 0; h < heads; ++h) {
        precise float part = (WEIGHTED ? weights[token * heads + h] : 1.0) * max(dotKey((token * heads + h) * length_, key), 0.0);
        sum += part;
    }
    scores[gl_WorkGroupID.y * stride + key] = sum;
}
