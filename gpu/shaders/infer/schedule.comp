// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// The schedule of a batch's pairs (batch.h): those of one expert side by side in groups of WB_MAX_COLUMNS. One workgroup. Twin:
// Routing::group of core/infer/cpu/routing.h; the order within an expert is left open, since each pair has its own result.
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) readonly buffer Chosen { uint chosen[]; }; // [token][used]
layout(binding = 2) buffer Schedule { uint schedule[]; };
layout(push_constant) uniform Push { uint experts, used; };

shared uint counts[WB_MAX_EXPERTS];
shared uint firstGroups[WB_MAX_EXPERTS];

const uint groupWords = 1 + WB_MAX_COLUMNS;

void main() {
    uint lane = gl_LocalInvocationID.x, pairs = batch[WB_BATCH_TOKENS] * used;
    for (uint e = lane; e < experts; e += WB_LANES) counts[e] = 0;
    barrier();
    for (uint p = lane; p < pairs; p += WB_LANES) atomicAdd(counts[chosen[p]], 1);
    barrier();
    if (lane == 0) {
        uint groups = 0;
        for (uint e = 0; e < experts; ++e) {
            firstGroups[e] = groups;
            groups += (counts[e] + WB_MAX_COLUMNS - 1) / WB_MAX_COLUMNS;
        }
        schedule[0] = groups;
    }
    barrier();
    for (uint e = lane; e < experts; e += WB_LANES) {
        uint count = counts[e];
        for (uint i = 0; i * WB_MAX_COLUMNS < count; ++i) {
            uint at = 1 + (firstGroups[e] + i) * groupWords;
            schedule[at] = e;
            for (uint c = 0; c < WB_MAX_COLUMNS; ++c)
                if (i * WB_MAX_COLUMNS + c >= count) schedule[at + 1 + c] = WB_NO_PAIR;
        }
        counts[e] = 0; // pairs of it so far, from here on
    }
    barrier();
    for (uint p = lane; p < pairs; p += WB_LANES) {
        uint e = chosen[p], place = atomicAdd(counts[e], 1);
        schedule[1 + (firstGroups[e] + place / WB_MAX_COLUMNS) * groupWords + 1 + place % WB_MAX_COLUMNS] = p;
    }
}
