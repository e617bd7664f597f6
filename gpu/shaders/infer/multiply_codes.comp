// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
// Weights that are codes times activations of 8 bits: integer products of 16 or 32 columns, then scales. WB_ROW_LANES invocations
// compute the products of a row's next records, and one adds them up in the order of the columns, so that the sum has the bits of
// the CPU's. The layout of the weights is gpu/infer/layout.h's. Twin: the integer products of core/infer/cpu/kernels/kernels.h.
#include "dtypes.h"
#include "infer/multiply.glsl"

layout(binding = 1) readonly buffer Weights { uvec4 weights[]; };
layout(binding = 2) readonly buffer Scales { uint scales[]; };
layout(binding = 3) readonly buffer X { uvec4 x[]; };

// The contribution of a record to a row: products of two numbers, each rounded with the sum so far.
const bool HALVES_APART = TYPE != WB_Q8_0 && TYPE != WB_Q4_0 && TYPE != WB_Q4_1 && TYPE != WB_Q4_K &&
                          TYPE != WB_IQ4_NL && TYPE != WB_IQ4_XS && TYPE != WB_CODED_WHOLE;
const bool ONE_MINIMUM = TYPE == WB_Q4_1 || TYPE == WB_Q4_K;
const bool TWO_MINIMUMS = TYPE == WB_Q5_1 || TYPE == WB_Q5_K || TYPE == WB_Q2_K || TYPE == WB_CODED;
const uint TERMS = (HALVES_APART ? 2 : 1) + (ONE_MINIMUM ? 1 : 0) + (TWO_MINIMUMS ? 2 : 0);
shared vec2 terms[TERMS * COLUMNS * WB_LANES];

float biasOf(uint row) { return uintBitsToFloat(scales[biasAt + row]); }

#include "infer/records.glsl"

int dot4(uint a, uint b) {
    int sum = 0;
    [[unroll]] for (uint i = 0; i < 4; ++i) sum += signedByte(a, i) * signedByte(b, i);
    return sum;
}

int dot16(uvec4 a, uvec4 b) { return dot4(a.x, b.x) + dot4(a.y, b.y) + dot4(a.z, b.z) + dot4(a.w, b.w); }

uint placeOf(uint term, uint column, uint at) { return (term * COLUMNS + column) * WB_LANES + at; }

void put(uint term, uint column, float a, float b) { terms[placeOf(term, column, gl_LocalInvocationID.x)] = vec2(a, b); }

void putTerms(Record w, uint column, uint at) {
    uvec4 rest = x[at + 2]; // scale, minus the sums of both halves, scale times their sum
    float scale = uintBitsToFloat(rest.x);
    int low = dot16(w.low, x[at]) + w.bias * int(rest.y);
    int high = dot16(w.high, x[at + 1]) + w.bias * int(rest.z);
    precise vec2 scales = w.scale * scale;
    if (HALVES_APART) {
        put(0, column, float(low), scales.x);
        put(1, column, float(high), scales.y);
    } else {
        put(0, column, float(low + high), scales.x);
    }
    if (ONE_MINIMUM) put(1, column, w.minimum.x, uintBitsToFloat(rest.w));
    if (TWO_MINIMUMS) {
        precise vec2 sums = scale * vec2(-int(rest.y), -int(rest.z));
        put(2, column, w.minimum.x, sums.x);
        put(3, column, w.minimum.y, sums.y);
    }
}

uint inputs[COLUMNS]; // where the activations of each column start

// The sum that the invocation adds up, of a row and a column; `row` is the one whose products it computes, where it is here. All
// invocations call it.
float addedUp(uint row, bool isHere, uint addedRow, uint column, bool adds) {
    uint lane = gl_LocalInvocationID.x % WB_ROW_LANES, records = columns / WB_RECORD_COLUMNS;
    float sum = 0.0;
    for (uint begin = 0; begin < records; begin += WB_ROW_LANES) {
        uint r = begin + lane;
        if (isHere && r < records) {
            Record w = recordAt(row * records + r);
            for (uint c = 0; c < COLUMNS; ++c) putTerms(w, c, (inputs[c] + r) * 3);
        }
        barrier();
        uint count = adds ? min(WB_ROW_LANES, records - begin) : 0;
        for (uint i = 0; i < count; ++i)
            for (uint t = 0; t < TERMS; ++t) {
                vec2 term = terms[placeOf(t, column, addedRow * WB_ROW_LANES + i)];
                sum = fused(term.x, term.y, sum);
            }
        barrier();
    }
    return sum;
}

// WB_ROWS_AT_ONCE rows from `first` of the part on. All invocations call it.
void multiplyRows(Task task, uint first) {
    uint at = gl_LocalInvocationID.x, row = first + at / WB_ROW_LANES;
    uint addedRow = at / COLUMNS, column = at % COLUMNS; // what this invocation adds up
    uint output_ = resultOf(task, column);
    bool isHere = row < rows;
    bool adds = addedRow < WB_ROWS_AT_ONCE && first + addedRow < rows && output_ != WB_NO_PAIR;
    float gate = 0.0;
    if (PAIRED) gate = addedUp(task.matrix + row, isHere, addedRow, column, adds);
    float sum = addedUp(task.matrix + (MATRICES - 1) * rows + row, isHere, addedRow, column, adds);
    if (adds) finish(task, first + addedRow, output_, gate, sum);
}

void main() {
    Task task = taskOf(gl_WorkGroupID.y);
    if (task.count == 0) return;
    for (uint c = 0; c < COLUMNS; ++c) inputs[c] = inputOf(task, c) * (columns / WB_RECORD_COLUMNS);
#ifdef FOLLOWED
    for (uint r = 0; r < ROWS_OF_GROUP; r += WB_ROWS_AT_ONCE) multiplyRows(task, gl_WorkGroupID.x * ROWS_OF_GROUP + r);
    followUp();
#else
    multiplyRows(task, gl_WorkGroupID.x * WB_ROWS_AT_ONCE);
#endif
}
