// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// The inputs of the delta rule (DeltaNetOp of core/infer/graph/operations.h), in place: queries and keys get their length, alphas become
// what the state is multiplied by, betas their rates. 16 invocations have a head of queries, of keys or of values. Twins: toLength
// and decayColumns of core/infer/cpu/kernels/recurrent_kernels.h, decayed and softplus of core/infer/cpu/kernels/exact.h.
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const bool CHANNELS = false; // each column of a state has its own alpha
layout(constant_id = 1) const bool FUSES = true;
#include "infer/exact_steps.glsl"
#include "infer/lanes16.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) buffer Rows { float rows[]; };              // [token][stride]
layout(binding = 2) readonly buffer Decay { float decay[]; };   // [valueHeads]
layout(binding = 3) readonly buffer Steps { float stepBias[]; }; // [valueHeads], or [valueHeads][keyLength]
layout(push_constant) uniform Push {
    uint stride, queries, keys;
    uint keyHeads, valueHeads, keyLength;
    uint alphaFirst, alphaGroup, alphaStride; // HeadNumbers
    uint betaFirst, betaGroup, betaStride;
    float epsilon;
    float scale; // of queries
};

void main() {
    uint token = gl_WorkGroupID.y, lane = gl_LocalInvocationID.x % lanes16;
    if (token >= batch[WB_BATCH_TOKENS]) return;
    uint head = gl_WorkGroupID.x * (WB_LANES / lanes16) + gl_LocalInvocationID.x / lanes16, row = token * stride;
    bool isVector = head < 2 * keyHeads, isQuery = head < keyHeads;
    uint first = row + (isQuery ? queries + head * keyLength : keys + (head - keyHeads) * keyLength);
    float squares = 0.0;
    for (uint i = lane; isVector && i < keyLength; i += lanes16) squares = fused(rows[first + i], rows[first + i], squares);
    precise float square = foldRecalled(squares) + epsilon;
    if (isVector) {
        float factor = exactDivide(isQuery ? scale : 1.0, exactSqrt(square));
        for (uint i = lane; i < keyLength; i += lanes16) {
            precise float scaled = rows[first + i] * factor;
            rows[first + i] = scaled;
        }
        return;
    }
    head -= 2 * keyHeads;
    if (head >= valueHeads) return;
    uint alpha = row + alphaFirst + head / alphaGroup * alphaStride + head % alphaGroup;
    for (uint i = lane; i < (CHANNELS ? keyLength : 1); i += lanes16) {
        precise float step_ = rows[alpha + i] + stepBias[CHANNELS ? head * keyLength + i : head];
        rows[alpha + i] = decayed(decay[head], softplus(step_));
    }
    if (lane > 0) return;
    uint beta = row + betaFirst + head / betaGroup * betaStride + head % betaGroup;
    rows[beta] = gated(1.0, rows[beta]);
}
