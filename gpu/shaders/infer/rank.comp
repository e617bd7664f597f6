// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// The highest logits of each run of WB_RANK_RUN, best first; of equal ones the lower id first. The results of several runs are ranked
// again until one is left: pairs of equal logits are then in the order of their ids, too. Twin: highestLogits of core/text/token_logit.h.
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const bool PAIRS = false; // the input is a result; else logits

layout(binding = 0) readonly buffer From { uint from[]; };    // the bits of f32 numbers, or pairs of those and ids
layout(binding = 1) writeonly buffer Ranked { uvec2 ranked[]; }; // [runs][kept]
layout(push_constant) uniform Push {
    uint count;
    uint kept; // of a run
};

shared uint keys[WB_RANK_RUN];
shared uvec2 best[WB_LANES]; // key and place in the run

const uint signBit = 0x80000000u, infinityBits = 0x7F800000u;
#include "sort_key.glsl"

// A smaller key for a smaller number; 0 for one that is never drawn.
uint keyOf(uint bits) {
    if ((bits & ~signBit) > infinityBits || bits == (signBit | infinityBits)) return 0;
    return sortKeyOf(bits == signBit ? 0 : bits);
}

bool isBefore(uvec2 a, uvec2 b) { return a.x != b.x ? a.x > b.x : a.y < b.y; }

// Of the lane's own numbers.
uvec2 ownBest(uint lane) {
    uvec2 found = uvec2(0, WB_RANK_RUN);
    for (uint i = lane; i < WB_RANK_RUN; i += WB_LANES)
        if (keys[i] > found.x) found = uvec2(keys[i], i);
    return found;
}

void main() {
    uint lane = gl_LocalInvocationID.x, begin = gl_WorkGroupID.x * WB_RANK_RUN;
    for (uint i = lane; i < WB_RANK_RUN; i += WB_LANES)
        keys[i] = begin + i < count ? keyOf(from[PAIRS ? 2 * (begin + i) : begin + i]) : 0;
    uvec2 own = ownBest(lane);
    for (uint k = 0; k < kept; ++k) {
        best[lane] = own;
        barrier();
        for (uint step = WB_LANES / 2; step > 0; step /= 2) {
            if (lane < step && isBefore(best[lane + step], best[lane])) best[lane] = best[lane + step];
            barrier();
        }
        uvec2 found = best[0];
        barrier();
        uint at = begin + found.y;
        if (lane == 0)
            ranked[gl_WorkGroupID.x * kept + k] = found.x == 0 ? uvec2(signBit | infinityBits, WB_NO_TOKEN)
                                                  : PAIRS      ? uvec2(from[2 * at], from[2 * at + 1])
                                                               : uvec2(from[at], at);
        if (found.x == 0 || found.y % WB_LANES != lane) continue;
        keys[found.y] = 0;
        own = ownBest(lane);
    }
}
