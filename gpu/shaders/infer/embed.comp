// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// The row of a table for a token that is on the device, times a number: 32 columns an invocation. Twin: TensorReader::readF32, which
// gives the same numbers.
#include "dtypes.h"
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const uint TYPE = 0; // of the table, one of dtypes.h

layout(binding = 0) readonly buffer Drawn { uint token; };
layout(binding = 1) readonly buffer Weights { uvec4 weights[]; };
layout(binding = 2) readonly buffer Scales { uint scales[]; };
layout(binding = 3) writeonly buffer X { float x[]; };
layout(push_constant) uniform Push {
    uint firstRow; // of this part of the table
    uint rows;
    uint columns;
    float scale;
};
#include "infer/records.glsl"

void put(uint column, float value) {
    precise float scaled = value * scale;
    x[column] = scaled;
}

float numberAt(uint row, uint column) {
    if (TYPE == WB_F32) {
        uint at = row * columns + column;
        return uintBitsToFloat(weights[at / 4][at % 4]);
    }
    uint at = row * ((columns + 1) / 2) + column / 2, code = weights[at / 4][at % 4] >> (16 * (column % 2)) & 0xFFFFu;
    return TYPE == WB_F16 ? halfToFloat(code) : bfloatToFloat(code);
}

void main() {
    uint record = gl_GlobalInvocationID.x, first = record * WB_RECORD_COLUMNS;
    if (first >= columns || token < firstRow || token - firstRow >= rows) return;
    uint row = token - firstRow;
    if (TYPE == WB_F32 || TYPE == WB_F16 || TYPE == WB_BF16) {
        for (uint i = first; i < min(first + WB_RECORD_COLUMNS, columns); ++i) put(i, numberAt(row, i));
        return;
    }
    Record w = recordAt(row * (columns / WB_RECORD_COLUMNS) + record);
    for (uint i = 0; i < 16; ++i) {
        precise float low = w.scale.x * float(signedByte(w.low[i / 4], i % 4) - w.bias);
        precise float high = w.scale.y * float(signedByte(w.high[i / 4], i % 4) - w.bias);
        precise float lowest = low + w.minimum.x, highest = high + w.minimum.y;
        put(first + i, lowest);
        put(first + 16 + i, highest);
    }
}
