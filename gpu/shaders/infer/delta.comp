// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// The delta rule (DeltaNetOp of core/infer/graph/operations.h) for the tokens of a batch, one after the other: 16 invocations have a row of
// a state, of which no other invocation reads anything. Its inputs come from delta_inputs.comp. Twin: applyDelta of
// core/infer/cpu/kernels/recurrent_kernels.h.
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const bool CHANNELS = false; // each column of a state has its own decay
layout(constant_id = 1) const bool TILED = false;    // neighboring value heads have different key heads
layout(constant_id = 2) const bool FUSES = true;
#include "infer/exact_steps.glsl"
#include "infer/lanes16.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) readonly buffer Rows { float rows[]; }; // [token][stride]
layout(binding = 2) buffer State { float state[]; };        // [valueHeads][valueLength][keyLength]
layout(binding = 3) writeonly buffer Out { float result[]; }; // [token][valueHeads][valueLength]
layout(push_constant) uniform Push {
    uint stride, queries, keys, values;
    uint keyHeads, valueHeads, keyLength, valueLength;
    uint alphaFirst, alphaGroup, alphaStride; // HeadNumbers
    uint betaFirst, betaGroup, betaStride;
};

void main() {
    uint at = gl_LocalInvocationID.x, lane = at % lanes16, all = valueHeads * valueLength;
    uint own = gl_WorkGroupID.x * (WB_LANES / lanes16) + at / lanes16;
    bool isRow = own < all; // the others only take part in barriers
    uint head = isRow ? own / valueLength : 0, keyHead = TILED ? head % keyHeads : head / (valueHeads / keyHeads);
    uint alpha = alphaFirst + head / alphaGroup * alphaStride + head % alphaGroup;
    uint beta = betaFirst + head / betaGroup * betaStride + head % betaGroup;
    uint first = own * keyLength, count = isRow ? keyLength : 0;
    for (uint t = 0; t < batch[WB_BATCH_TOKENS]; ++t) {
        uint row = t * stride, query = row + queries + keyHead * keyLength, key = row + keys + keyHead * keyLength;
        float sum = 0.0;
        for (uint i = lane; i < count; i += lanes16) {
            precise float kept = state[first + i] * rows[row + alpha + (CHANNELS ? i : 0)];
            state[first + i] = kept;
            sum = fused(kept, rows[key + i], sum);
        }
        float known = foldRecalled(sum);
        precise float change = isRow ? rows[row + beta] * (rows[row + values + own] - known) : 0.0;
        sum = 0.0;
        for (uint i = lane; i < count; i += lanes16) {
            float next = fused(change, rows[key + i], state[first + i]);
            state[first + i] = next;
            sum = fused(next, rows[query + i], sum);
        }
        float answer = foldAnswered(sum);
        if (isRow && lane == 0) result[t * all + own] = answer;
    }
}
