// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// row = (row + scale * other) * factor, element by element. Twin: addScaled of core/infer/cpu/kernels/kernels.h.
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const bool ADDS = false;
layout(constant_id = 1) const bool STORED = false; // the factor, as the one number of a buffer
layout(constant_id = 2) const bool FUSES = true;
#include "infer/exact_steps.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) buffer Rows { float rows[]; };         // [token][columns]
layout(binding = 2) readonly buffer Other { float other[]; }; // [token][otherStride]
layout(binding = 3) readonly buffer Factor { float stored[]; };
layout(push_constant) uniform Push {
    uint columns;
    float scale, factor;
    uint otherStride, otherFirst;
};

void main() {
    uint column = gl_GlobalInvocationID.x, token = gl_WorkGroupID.y, at = token * columns + column;
    if (token >= batch[WB_BATCH_TOKENS] || column >= columns) return;
    float value = rows[at];
    if (ADDS) value = fused(scale, other[token * otherStride + otherFirst + column], value);
    precise float scaled = value * (STORED ? stored[0] : factor);
    rows[at] = scaled;
}
