// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require

// Decodes a run of blocks to f32: one element an invocation.
layout(local_size_x = 128) in;

layout(binding = 0) readonly buffer Stored { uint stored[]; };
layout(binding = 1) readonly buffer Tables { uint tables[]; };
layout(binding = 2) writeonly buffer Values { uint values[]; };
layout(push_constant) uniform Push { uint count; };

#define WB_WORD(i) stored[i]
#define WB_TABLE(i) tables[i]
#include "decode.glsl"

void main() {
    uint index = gl_GlobalInvocationID.x;
    if (index < count) values[index] = decodeBitsAt(0, index);
}
