// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// Adds the results of each token's experts, times their weights, to x. Twin: addScaled of core/infer/cpu/kernels/kernels.h.
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const bool FUSES = true;
layout(constant_id = 1) const bool WEIGHTED = true; // else the weights are in the rows already
#include "infer/exact_steps.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) readonly buffer Rows { float rows[]; };       // [token][used][width]
layout(binding = 2) readonly buffer Weights { float weights[]; }; // [token][used]
layout(binding = 3) buffer X { float x[]; };                      // [token][width]
layout(push_constant) uniform Push {
    uint width, used;
    float scale;
};

void main() {
    uint at = gl_GlobalInvocationID.x, token = gl_WorkGroupID.y;
    if (token >= batch[WB_BATCH_TOKENS] || at >= width) return;
    float sum = 0.0;
    for (uint pair = token * used; pair < (token + 1) * used; ++pair) sum = fused(WEIGHTED ? weights[pair] : 1.0, rows[pair * width + at], sum);
    x[token * width + at] = fused(scale, sum, x[token * width + at]);
}
