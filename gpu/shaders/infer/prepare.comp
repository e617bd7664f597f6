// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
// Rows as the matrices take them: after a norm or gated where the layer has that, as f32 for weights that are floats, and as codes
// of 8 bits with a scale for each 32 for those that are codes. One workgroup a row. Twins: rmsNorm, layerNorm, activate and quantize
// of core/infer/cpu/kernels/kernels.h.
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const uint NORM = WB_NORM_RMS;
layout(constant_id = 1) const bool FLOATS = true;
layout(constant_id = 2) const bool CODES = true;
layout(constant_id = 3) const bool OUTPUTS = false; // only the last rows of the batch, whose logits are wanted
layout(constant_id = 4) const bool FUSES = true;
layout(constant_id = 5) const bool BIASED = false; // the norm
layout(constant_id = 6) const bool GATED = false;  // rows without a norm, times the activation of their gates
layout(constant_id = 7) const uint ACTIVATION = WB_SILU;
#include "infer/codes.glsl"
#include "infer/norm.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) readonly buffer Rows { float rows[]; };
layout(binding = 2) readonly buffer Weight { float weight[]; };
layout(binding = 3) writeonly buffer Floats { float floats[]; };
layout(binding = 4) writeonly buffer Codes { uint codes[]; };
layout(binding = 5) readonly buffer Bias { float bias[]; };
layout(binding = 6) readonly buffer Gates { float gates[]; }; // as the rows
layout(push_constant) uniform Push {
    uint columns;
    uint rowsOfToken;
    float epsilon;
    uint stride;    // from one token's rows to the next one's
    uint first;     // of a token's rows
    uint rowStride; // from one of them to the next
};

float rowAt(uint at) { return rows[at]; }

uint source; // the row's first number
Norming norming;

float codedNumber(uint column) {
    float value = rows[source + column];
    if (GATED) return activated(ACTIVATION, gates[source + column], value);
    if (NORM == WB_NORM_NONE) return value;
    return normed(value, norming, weight[column], BIASED ? bias[column] : 0.0);
}

void putCode(uint at, uint word) { codes[at] = word; }

void main() {
    uint row = gl_WorkGroupID.x;
    uint count = OUTPUTS ? batch[WB_BATCH_OUTPUTS] : batch[WB_BATCH_TOKENS] * rowsOfToken;
    if (row >= count) return;
    uint token = OUTPUTS ? batch[WB_BATCH_TOKENS] - count + row : row / rowsOfToken;
    source = token * stride + first + (OUTPUTS ? 0 : row % rowsOfToken * rowStride);
    norming = normingOf(source, columns, epsilon);
    if (FLOATS)
        for (uint i = gl_LocalInvocationID.x; i < columns; i += WB_LANES) floats[row * columns + i] = codedNumber(i);
    uint records = columns / WB_RECORD_COLUMNS;
    if (CODES) encodeRecords(records, row * records * WB_RECORD_WORDS);
}
