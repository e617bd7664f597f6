// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// The means of the keys of blocks of tokens that become complete (IndexOp of core/infer/graph/index_operations.h); of an incomplete block
// the sum is kept. An invocation has one element. Twin: storeBlockKeys of core/infer/cpu/indexer.cpp.
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const bool FUSES = true;
#include "infer/exact_steps.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) readonly buffer Keys { float keys[]; };     // [token][length]
layout(binding = 2) buffer State { float state[]; };            // [length]
layout(binding = 3) writeonly buffer Means { float means[]; };  // [complete block][length]
layout(push_constant) uniform Push { uint length_, block; };

void main() {
    uint at = gl_GlobalInvocationID.x;
    if (at >= length_) return;
    precise float sum = state[at];
    uint complete = 0;
    for (uint t = 0; t < batch[WB_BATCH_TOKENS]; ++t) {
        uint inBlock = (batch[WB_BATCH_POSITION] + t) % block;
        float key = keys[t * length_ + at];
        sum = inBlock == 0 ? key : fused(1.0, key, sum);
        if (inBlock + 1 == block) means[complete++ * length_ + at] = exactDivide(sum, float(block));
    }
    state[at] = sum;
}
