// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// x = the mean over the residual streams of sigmoid(gates) * rows (MixStreamsOp of core/infer/graph/stream_operations.h), element by
// element. Twin: gateSigmoid and addScaled of the CPU's kernels.
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const bool FUSES = true;
#include "infer/exact_steps.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) readonly buffer Rows { float rows[]; };   // [token][streams][width]
layout(binding = 2) readonly buffer Gates { float gates[]; }; // [token][stride]
layout(binding = 3) writeonly buffer X { float x[]; };        // [token][width]
layout(push_constant) uniform Push {
    uint width, streams, stride;
    float share;
};

void main() {
    uint at = gl_GlobalInvocationID.x, token = gl_WorkGroupID.y;
    if (token >= batch[WB_BATCH_TOKENS] || at >= width) return;
    float sum = 0.0;
    for (uint s = 0; s < streams; ++s)
        sum = fused(share, gated(rows[(token * streams + s) * width + at], gates[token * stride + s * width + at]), sum);
    x[token * width + at] = sum;
}
