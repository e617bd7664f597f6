// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// streams[s] += factors[s] * row, element by element; of several tokens. InjectOp of core/infer/graph/stream_operations.h. Twin: addScaled
// of core/infer/cpu/kernels/kernels.h.
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const bool FUSES = true;
#include "infer/exact_steps.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) buffer Streams { float streams[]; };          // [token][count][width]
layout(binding = 2) readonly buffer Row { float row[]; };         // [token][width]
layout(binding = 3) readonly buffer Factors { float factors[]; }; // [token][count]
layout(push_constant) uniform Push { uint width, count; };

void main() {
    uint at = gl_GlobalInvocationID.x, token = gl_WorkGroupID.y;
    if (token >= batch[WB_BATCH_TOKENS] || at >= width) return;
    for (uint s = 0; s < count; ++s) {
        uint place = (token * count + s) * width + at;
        streams[place] = fused(factors[token * count + s], row[token * width + at], streams[place]);
    }
}
