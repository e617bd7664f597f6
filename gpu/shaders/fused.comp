// SPDX-License-Identifier: MIT
#version 450
// fma() of numbers whose product does not fit a float, for the CPU to compare: whether the device rounds it once.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Input { uint words[]; } source;
layout(set = 0, binding = 1) writeonly buffer Output { uint words[]; } result;
layout(push_constant) uniform Push { uint count; } push;

void main() {
    uint at = gl_GlobalInvocationID.x;
    if (at >= push.count) return;
    precise float sum = fma(uintBitsToFloat(source.words[at * 3u]), uintBitsToFloat(source.words[at * 3u + 1u]),
                            uintBitsToFloat(source.words[at * 3u + 2u]));
    result.words[at] = floatBitsToUint(sum);
}
