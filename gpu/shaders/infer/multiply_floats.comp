// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// Weights that are floats times activations in f32. WB_ROW_LANES invocations share a row, so sums have another order than the
// CPU's. A row of 16-bit numbers ends with a whole word; what it lacks is zero.
#include "dtypes.h"
#include "infer/multiply.glsl"

layout(binding = 1) readonly buffer Weights { uint weights[]; };
layout(binding = 2) readonly buffer Biases { float biases[]; };
layout(binding = 3) readonly buffer X { float x[]; };

shared float partial[WB_MAX_COLUMNS * WB_LANES];

float biasOf(uint row) { return biases[biasAt + row]; }

float halfOf(uint word, uint index) {
    uint code = word >> (16 * index) & 0xFFFFu;
    return TYPE == WB_F16 ? halfToFloat(code) : bfloatToFloat(code);
}

void addProducts(uint row, uint lane, uint inputs[COLUMNS], inout float sums[COLUMNS]) {
    if (TYPE == WB_F32) {
        for (uint i = lane; i < columns; i += WB_ROW_LANES) {
            float weight = uintBitsToFloat(weights[row * columns + i]);
            for (uint c = 0; c < COLUMNS; ++c) sums[c] = fma(weight, x[inputs[c] + i], sums[c]);
        }
        return;
    }
    uint words = (columns + 1) / 2;
    for (uint i = lane; i < words; i += WB_ROW_LANES) {
        uint word = weights[row * words + i];
        float low = halfOf(word, 0), high = halfOf(word, 1);
        bool whole = 2 * i + 1 < columns;
        for (uint c = 0; c < COLUMNS; ++c) {
            uint at = inputs[c] + 2 * i;
            sums[c] = fma(low, x[at], sums[c]);
            if (whole) sums[c] = fma(high, x[at + 1], sums[c]);
        }
    }
}

void main() {
    Task task = taskOf(gl_WorkGroupID.y);
    if (task.count == 0) return;
    uint at = gl_LocalInvocationID.x;
    uint lane = at % WB_ROW_LANES;
    uint row = gl_WorkGroupID.x * WB_ROWS_AT_ONCE + at / WB_ROW_LANES;
    uint inputs[COLUMNS];
    float sums[COLUMNS];
    for (uint c = 0; c < COLUMNS; ++c) {
        inputs[c] = inputOf(task, c) * columns;
        sums[c] = 0.0;
    }
    if (row < rows) addProducts(task.matrix + row, lane, inputs, sums);
    for (uint c = 0; c < COLUMNS; ++c) partial[c * WB_LANES + at] = sums[c];
    for (uint step = WB_ROW_LANES / 2; step > 0; step /= 2) {
        barrier();
        if (lane < step)
            for (uint c = 0; c < COLUMNS; ++c) partial[c * WB_LANES + at] += partial[c * WB_LANES + at + step];
    }
    barrier();
    if (lane >= COLUMNS || row >= rows) return;
    uint output_ = resultOf(task, lane);
    if (output_ != WB_NO_PAIR) finish(task, row, output_, partial[lane * WB_LANES + at - lane]);
}
