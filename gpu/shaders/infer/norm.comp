// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// Norms runs of numbers of a row: each head of queries, keys or values or all of them together, in place; each residual stream, into
// another row; or a whole row, whose result is added to another one. One workgroup a run. Twins: rmsNorm, layerNorm and addScaled of core/infer/cpu/kernels/kernels.h.
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const uint NORM = WB_NORM_RMS;
layout(constant_id = 1) const bool WEIGHTED = true;
layout(constant_id = 2) const bool BIASED = false;
layout(constant_id = 3) const uint RESULT = WB_IN_PLACE;
layout(constant_id = 4) const bool FACTORS = false; // the result, times a factor of the token
layout(constant_id = 5) const bool FUSES = true;
layout(constant_id = 6) const bool OWN_WEIGHTS = false; // each run has its own
#include "infer/norm.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) buffer Rows { float rows[]; }; // [token][runs][count]
layout(binding = 2) readonly buffer Weight { float weight[]; };
layout(binding = 3) readonly buffer Bias { float bias[]; };
layout(binding = 4) readonly buffer Factors { float factors[]; };
layout(binding = 5) buffer To { float to[]; };
layout(push_constant) uniform Push {
    uint count; // of a run
    float epsilon;
    float scale; // of the added row
    uint stride, first, runStride; // of rows
    uint toStride;
};

float rowAt(uint at) { return rows[at]; }

void main() {
    uint run = gl_WorkGroupID.x, token = gl_WorkGroupID.y;
    if (token >= batch[WB_BATCH_TOKENS]) return;
    uint from = token * stride + first + run * runStride, at = token * toStride + run * count;
    uint ofRun = OWN_WEIGHTS ? run * count : 0;
    Norming norming = normingOf(from, count, epsilon);
    precise float factor = scale * (FACTORS ? factors[token] : 1.0);
    for (uint i = gl_LocalInvocationID.x; i < count; i += WB_LANES) {
        float value = normed(rows[from + i], norming, WEIGHTED ? weight[ofRun + i] : 1.0, BIASED ? bias[ofRun + i] : 0.0);
        if (RESULT == WB_ADDED) {
            to[at + i] = fused(factor, value, to[at + i]);
            continue;
        }
        precise float scaled = FACTORS ? value * factor : value;
        if (RESULT == WB_WRITTEN) to[at + i] = scaled;
        else rows[from + i] = scaled;
    }
}
