// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
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

uint inputs[COLUMNS]; // where the activations of each column start

void addProducts(uint row, uint lane, inout float own[COLUMNS]) {
    if (TYPE == WB_F32) {
        for (uint i = lane; i < columns; i += WB_ROW_LANES) {
            float weight = uintBitsToFloat(weights[row * columns + i]);
            for (uint c = 0; c < COLUMNS; ++c) own[c] = fma(weight, x[inputs[c] + i], own[c]);
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
            own[c] = fma(low, x[at], own[c]);
            if (whole) own[c] = fma(high, x[at + 1], own[c]);
        }
    }
}

// Of the column with the invocation's number among those of a row; nothing is read where not `isHere`. All invocations call it.
float addedUp(uint row, bool isHere) {
    uint at = gl_LocalInvocationID.x, lane = at % WB_ROW_LANES;
    float own[COLUMNS];
    for (uint c = 0; c < COLUMNS; ++c) own[c] = 0.0;
    if (isHere) addProducts(row, lane, own);
    for (uint c = 0; c < COLUMNS; ++c) partial[c * WB_LANES + at] = own[c];
    for (uint step = WB_ROW_LANES / 2; step > 0; step /= 2) {
        barrier();
        if (lane < step)
            for (uint c = 0; c < COLUMNS; ++c) partial[c * WB_LANES + at] += partial[c * WB_LANES + at + step];
    }
    barrier();
    return lane < COLUMNS ? partial[lane * WB_LANES + at - lane] : 0.0;
}

// WB_ROWS_AT_ONCE rows from `first` of the part on. All invocations call it.
void multiplyRows(Task task, uint first) {
    uint at = gl_LocalInvocationID.x, lane = at % WB_ROW_LANES, row = first + at / WB_ROW_LANES;
    float gate = 0.0;
    if (PAIRED) {
        gate = addedUp(task.matrix + row, row < rows);
        barrier(); // before the next sum
    }
    float sum = addedUp(task.matrix + (MATRICES - 1) * rows + row, row < rows);
    if (ROWS_OF_GROUP > WB_ROWS_AT_ONCE) barrier();
    uint output_ = lane < COLUMNS && row < rows ? resultOf(task, lane) : WB_NO_PAIR;
    if (output_ != WB_NO_PAIR) finish(task, row, output_, gate, sum);
}

void main() {
    Task task = taskOf(gl_WorkGroupID.y);
    if (task.count == 0) return;
    for (uint c = 0; c < COLUMNS; ++c) inputs[c] = inputOf(task, c) * columns;
#ifdef FOLLOWED
    for (uint r = 0; r < ROWS_OF_GROUP; r += WB_ROWS_AT_ONCE) multiplyRows(task, gl_WorkGroupID.x * ROWS_OF_GROUP + r);
    followUp();
#else
    multiplyRows(task, gl_WorkGroupID.x * WB_ROWS_AT_ONCE);
#endif
}
