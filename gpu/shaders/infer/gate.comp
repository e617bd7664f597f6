// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// Gates heads of `attended`, and norms them before or after it: one workgroup a head. Twins: gateSigmoid and gateSilu of
// core/infer/cpu/kernels/recurrent_kernels.h, rmsNorm and layerNorm of core/infer/cpu/kernels/kernels.h.
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const uint NORM = WB_NORM_NONE;
layout(constant_id = 1) const bool WEIGHTED = true;
layout(constant_id = 2) const bool BIASED = false;
layout(constant_id = 3) const bool OWN_WEIGHTS = false; // each head has its own
layout(constant_id = 4) const bool GATES_FIRST = false;
layout(constant_id = 5) const bool SILU = false;
layout(constant_id = 6) const bool FUSES = true;
#include "infer/norm.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) buffer Rows { float rows[]; }; // [token][heads][count]
layout(binding = 2) readonly buffer Weight { float weight[]; };
layout(binding = 3) readonly buffer Bias { float bias[]; };
layout(binding = 4) readonly buffer Gates { float gates[]; };
layout(push_constant) uniform Push {
    uint count; // of a head
    float epsilon;
    uint stride, first, headStride; // of gates
};

float rowAt(uint at) { return rows[at]; }

float opened(float value, float gate) {
    precise float product = SILU ? value * gate : value;
    return gated(product, gate);
}

void main() {
    uint head = gl_WorkGroupID.x, token = gl_WorkGroupID.y, lane = gl_LocalInvocationID.x;
    if (token >= batch[WB_BATCH_TOKENS]) return;
    uint at = (token * gl_NumWorkGroups.x + head) * count, ofGates = token * stride + first + head * headStride;
    uint ofHead = OWN_WEIGHTS ? head * count : 0;
    if (GATES_FIRST && NORM != WB_NORM_NONE) // number i is gated and summed by the same invocation
        for (uint i = lane; i < count; i += WB_LANES) rows[at + i] = opened(rows[at + i], gates[ofGates + i]);
    Norming norming = normingOf(at, count, epsilon);
    for (uint i = lane; i < count; i += WB_LANES) {
        float value = rows[at + i];
        if (NORM != WB_NORM_NONE)
            value = normed(value, norming, WEIGHTED ? weight[ofHead + i] : 1.0, BIASED ? bias[ofHead + i] : 0.0);
        if (!GATES_FIRST || NORM == WB_NORM_NONE) value = opened(value, gates[ofGates + i]);
        rows[at + i] = value;
    }
}
