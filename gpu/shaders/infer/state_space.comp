// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// The state space of Mamba-2 (StateSpaceOp of core/infer/graph/operations.h) for the tokens of a batch, one after the other: 16 invocations
// have a row of a state, of which no other invocation reads anything. Twin: applyStateSpace of core/infer/cpu/kernels/recurrent_kernels.h.
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const bool FUSES = true;
#include "infer/exact_steps.glsl"
#include "infer/lanes16.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) readonly buffer Rows { float rows[]; }; // [token][stride]
layout(binding = 2) buffer State { float state[]; };        // [heads][valueLength][stateLength]
layout(binding = 3) readonly buffer Decay { float decay[]; };
layout(binding = 4) readonly buffer Steps { float stepBias[]; };
layout(binding = 5) readonly buffer Skip { float skip[]; };
layout(binding = 6) writeonly buffer Out { float result[]; }; // [token][heads][valueLength]
layout(push_constant) uniform Push {
    uint stride, values, inputs, outputs, steps;
    uint heads, groups, valueLength, stateLength;
};

void main() {
    uint at = gl_LocalInvocationID.x, lane = at % lanes16, all = heads * valueLength;
    uint own = gl_WorkGroupID.x * (WB_LANES / lanes16) + at / lanes16;
    bool isRow = own < all; // the others only take part in barriers
    uint head = isRow ? own / valueLength : 0, group = head / (heads / groups) * stateLength;
    uint first = own * stateLength, count = isRow ? stateLength : 0;
    for (uint t = 0; t < batch[WB_BATCH_TOKENS]; ++t) {
        uint row = t * stride;
        precise float step_ = rows[row + steps + head] + stepBias[head];
        float rate = softplus(step_), kept = decayed(decay[head], rate);
        float value = isRow ? rows[row + values + own] : 0.0;
        precise float change = rate * value;
        float sum = 0.0;
        for (uint i = lane; i < count; i += lanes16) {
            precise float before = state[first + i] * kept;
            float next = fused(change, rows[row + inputs + group + i], before);
            state[first + i] = next;
            sum = fused(next, rows[row + outputs + group + i], sum);
        }
        float total;
        if (t % 2 == 0) total = foldRecalled(sum); // one is written while the other is read
        else total = foldAnswered(sum);
        if (isRow && lane == 0) result[t * all + own] = fused(skip[head], value, total);
    }
}
