// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require

// The sums of rectangles: decoded rows are cut into rectangles of `height` x `width` elements, row-major, and each
// invocation gives six words for one of them (rectangle_sums.h). Sums are of values times 2^-exponent, in two floats each, which is as exact as f64 for this few values.
layout(local_size_x = 64) in;

layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) writeonly buffer Sums { uint sums[]; };
layout(push_constant) uniform Push {
    uint from;
    uint to;
    uint rows;
    uint columns;
    uint height;
    uint width;
};

#include "float_bits.glsl"
#include "scaled.glsl"

// Adds x to the pair; what the first float loses goes into the second (Neumaier's sum).
void add(inout vec2 pair, float x) {
    precise float total = pair.x + x;
    precise float lost = abs(pair.x) >= abs(x) ? (pair.x - total) + x : (x - total) + pair.x;
    precise float rest = pair.y + lost;
    pair = vec2(total, rest);
}

void main() {
    uint across = (columns + width - 1) / width;
    uint down = (rows + height - 1) / height;
    uint index = gl_GlobalInvocationID.x;
    if (index >= across * down) return;
    uint firstRow = index / across * height, firstColumn = index % across * width;
    uint endRow = min(firstRow + height, rows), endColumn = min(firstColumn + width, columns);

    uint absmax = 0, nan = 0, inf = 0;
    for (uint row = firstRow; row < endRow; ++row) {
        for (uint column = firstColumn; column < endColumn; ++column) {
            uint magnitude = magnitudeOf(values[from + row * columns + column]);
            if (magnitude < infinityBits) absmax = max(absmax, magnitude);
            else if (magnitude > infinityBits) ++nan;
            else ++inf;
        }
    }
    int exponent = absmax == 0 ? 0 : exponentOf(absmax);
    vec2 sum = vec2(0), squares = vec2(0);
    for (uint row = firstRow; row < endRow; ++row) {
        for (uint column = firstColumn; column < endColumn; ++column) {
            uint bits = values[from + row * columns + column];
            if (!isFinite(bits)) continue;
            float x = scaled(bits, exponent);
            precise float square = x * x;
            add(sum, x);
            add(squares, square);
        }
    }
    uint at = (to + index) * 6;
    sums[at] = absmax;
    sums[at + 1] = floatBitsToUint(sum.x + sum.y);
    sums[at + 2] = floatBitsToUint(squares.x + squares.y);
    sums[at + 3] = uint(exponent);
    sums[at + 4] = nan;
    sums[at + 5] = inf;
}
