// SPDX-License-Identifier: MIT
#version 450
// Products, sums and comparisons that concern subnormal numbers, for the CPU to compare: whether the device keeps them. Each invocation takes
// two floats and gives four words.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Input { uint words[]; } source;
layout(set = 0, binding = 1) writeonly buffer Output { uint words[]; } result;
layout(push_constant) uniform Push { uint count; } push;

void main() {
    uint at = gl_GlobalInvocationID.x;
    if (at >= push.count) return;
    float a = uintBitsToFloat(source.words[at * 2u]), b = uintBitsToFloat(source.words[at * 2u + 1u]);
    precise float product = a * b;
    precise float sum = a + b;
    result.words[at * 4u] = floatBitsToUint(product);
    result.words[at * 4u + 1u] = floatBitsToUint(sum);
    result.words[at * 4u + 2u] = uint(a < b) | uint(a == 0.0) << 1 | uint(b == 0.0) << 2;
    result.words[at * 4u + 3u] = floatBitsToUint(max(abs(a), abs(b)));
}
