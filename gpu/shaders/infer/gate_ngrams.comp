// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// The values of n-grams (NgramOp of core/infer/graph/stream_operations.h): values[s] = sigmoid(sign(g) sqrt(max(|g|, 1e-6))) * value with
// g = keys[s] · queries[s] / sqrt(width). One workgroup a stream. The CPU adds the products in f64; here each sum keeps the
// rest that its rounding left, which gives the same float but where the sum is next to the middle of two. Twin: gateNgrams of
// core/infer/cpu/streams.cpp.
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const bool FUSES = true;
#include "infer/exact_steps.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) readonly buffer Keys { float keys[]; };   // [token][streams][width]
layout(binding = 2) buffer Rows { float rows[]; };            // [token][2][streams][width]: queries, and the result
layout(binding = 3) readonly buffer Value { float value[]; }; // [token][width]
layout(push_constant) uniform Push {
    uint width, stride; // of rows
    float root;         // of the width
    float least;        // gate
};

shared vec2 sums[WB_LANES];

// The sum of two numbers that each have a rest.
vec2 added(vec2 a, vec2 b) {
    vec2 sum = sumAndRest(a.x, b.x);
    precise float rest = sum.y + (a.y + b.y);
    return sumAndRest(sum.x, rest);
}

void main() {
    uint stream = gl_WorkGroupID.x, token = gl_WorkGroupID.y, lane = gl_LocalInvocationID.x, streams = gl_NumWorkGroups.x;
    if (token >= batch[WB_BATCH_TOKENS]) return;
    uint key = (token * streams + stream) * width, query = token * stride + stream * width, to = query + streams * width;
    vec2 sum = vec2(0.0);
    for (uint i = lane; i < width; i += WB_LANES) sum = added(sum, productAndRest(keys[key + i], rows[query + i]));
    sums[lane] = sum;
    barrier();
    for (uint step = WB_LANES / 2; step > 0; step /= 2) {
        if (lane < step) sums[lane] = added(sums[lane], sums[lane + step]);
        barrier();
    }
    float gate = exactDivide(sums[0].x, root);
    float size = exactSqrt(max(abs(gate), least)), slope = gate == 0.0 ? 0.0 : gate < 0.0 ? -size : size;
    float factor = gated(1.0, slope);
    for (uint i = lane; i < width; i += WB_LANES) rows[to + i] = fused(factor, value[token * width + i], 0.0);
}
