// SPDX-License-Identifier: MIT
#version 450
// Operations that the other shaders rely on, computed for the CPU to compare: each invocation takes three floats and gives eight words.
#extension GL_GOOGLE_include_directive : require
#include "exact.glsl"

layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer Input { uint words[]; } source;
layout(set = 0, binding = 1) writeonly buffer Output { uint words[]; } result;
layout(push_constant) uniform Push { uint count; } push;

shared uint turn[128];

void main() {
    uint at = gl_GlobalInvocationID.x;
    uint lane = gl_LocalInvocationID.x;
    bool inside = at < push.count;
    uint base = inside ? at * 3u : 0u;
    float a = uintBitsToFloat(source.words[base]);
    float b = uintBitsToFloat(source.words[base + 1u]);
    float c = uintBitsToFloat(source.words[base + 2u]);
    turn[lane] = source.words[base];
    barrier();
    if (!inside) return;

    precise float sum = a + b;
    precise float product = a * b;
    precise float both = product + c;
    uint high, low;
    umulExtended(source.words[base], source.words[base + 1u], high, low);
    uint to = at * 8u;
    result.words[to] = floatBitsToUint(sum);
    result.words[to + 1u] = floatBitsToUint(product);
    result.words[to + 2u] = floatBitsToUint(both);
    result.words[to + 3u] = exactDivideBits(source.words[base], divisorOfBits(source.words[base + 1u]));
    result.words[to + 4u] = exactSqrtBits(magnitudeOf(source.words[base]));
    result.words[to + 5u] = high ^ low;
    result.words[to + 6u] = turn[lane ^ 1u];
    result.words[to + 7u] = uint(findMSB(source.words[base] | 1u));
}
