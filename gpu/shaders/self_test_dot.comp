// SPDX-License-Identifier: MIT
#version 450
// Dot products of four packed bytes, computed for the CPU to compare: each invocation takes three words and gives two sums onto the third,
// of signed bytes and of unsigned ones.
#extension GL_EXT_spirv_intrinsics : require

// Of four bytes a word (SPV_KHR_integer_dot_product), as instructions: compilers that know GL_EXT_integer_dot_product are newer.
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6018, 6019], id = 4450)
int signedDot(uint a, uint b, spirv_literal int format);
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6018, 6019], id = 4451)
uint unsignedDot(uint a, uint b, spirv_literal int format);

layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer Input { uint words[]; } source;
layout(set = 0, binding = 1) writeonly buffer Output { uint words[]; } result;
layout(push_constant) uniform Push { uint count; } push;

void main() {
    uint at = gl_GlobalInvocationID.x;
    if (at >= push.count) return;
    uint a = source.words[at * 3u], b = source.words[at * 3u + 1u], c = source.words[at * 3u + 2u];
    result.words[at * 2u] = uint(signedDot(a, b, 0) + int(c));
    result.words[at * 2u + 1u] = unsignedDot(a, b, 0) + c;
}
