// SPDX-License-Identifier: MIT
#version 450
// Σx²/n of every row, which weighted Q4_0, Q4_1, Q5_0 and Q5_1 start from. One invocation a row: the reference adds in index order, in f32.
#extension GL_GOOGLE_include_directive : require
#include "../exact.glsl"
#define F precise float
#define MARKS_BINDING 2
#include "vanish.glsl"

layout(local_size_x = 64) in;

layout(binding = 0) readonly buffer Source { uint words[]; } source; // f32, row after row
layout(binding = 1) writeonly buffer Means { uint words[]; } means;  // f32
layout(push_constant) uniform Push {
    uint rows;
    uint columns;
    uint blocksPerRow;
} push;

void main() {
    uint row = gl_GlobalInvocationID.x;
    if (row >= push.rows) return;
    F sum = 0.0;
    for (uint i = 0u; i < push.columns; ++i) {
        float x = uintBitsToFloat(source.words[row * push.columns + i]);
        F square = x * x;
        watchSquare(x, square, sum);
        sum += square;
    }
    float mean = exactDivide(sum, float(push.columns));
    watch(mean);
    means.words[row] = floatBitsToUint(mean);
    for (uint block = 0u; vanishes && block < push.blocksPerRow; ++block) markBlock(row * push.blocksPerRow + block);
}
