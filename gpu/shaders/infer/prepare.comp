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

float valueAt(uint source, uint column, Norming norming) {
    float value = rows[source + column];
    if (GATED) return activated(ACTIVATION, gates[source + column], value);
    if (NORM == WB_NORM_NONE) return value;
    return normed(value, norming, weight[column], BIASED ? bias[column] : 0.0);
}

void encode(uint source, uint target, uint record, Norming norming) {
    float values[WB_RECORD_COLUMNS];
    float absmax = 0.0;
    [[unroll]] for (uint i = 0; i < WB_RECORD_COLUMNS; ++i) {
        values[i] = valueAt(source, record * WB_RECORD_COLUMNS + i, norming);
        absmax = max(absmax, abs(values[i]));
    }
    float scale = exactDivide(absmax, 127.0);
    float inverse = absmax > 1e-30 ? exactDivide(127.0, absmax) : 0.0; // what is less may be flushed
    uint at = target + record * WB_RECORD_WORDS;
    ivec2 total = ivec2(0);
    [[unroll]] for (uint w = 0; w < 8; ++w) {
        uint word = 0;
        [[unroll]] for (uint i = 0; i < 4; ++i) {
            precise float scaled = values[4 * w + i] * inverse;
            int code = int(roundEven(scaled));
            total[w / 4] += code;
            word |= (uint(code) & 255u) << (8 * i);
        }
        codes[at + w] = word;
    }
    codes[at + 8] = floatBitsToUint(scale);
    codes[at + 9] = uint(-total.x);
    codes[at + 10] = uint(-total.y);
    precise float offset = scale * float(total.x + total.y);
    codes[at + 11] = floatBitsToUint(offset);
}

void main() {
    uint row = gl_WorkGroupID.x;
    uint count = OUTPUTS ? batch[WB_BATCH_OUTPUTS] : batch[WB_BATCH_TOKENS] * rowsOfToken;
    if (row >= count) return;
    uint token = OUTPUTS ? batch[WB_BATCH_TOKENS] - count + row : row / rowsOfToken;
    uint source = token * stride + first + (OUTPUTS ? 0 : row % rowsOfToken * rowStride);
    Norming norming = normingOf(source, columns, epsilon);
    if (FLOATS)
        for (uint i = gl_LocalInvocationID.x; i < columns; i += WB_LANES) floats[row * columns + i] = valueAt(source, i, norming);
    if (CODES) {
        uint records = columns / WB_RECORD_COLUMNS;
        for (uint r = gl_LocalInvocationID.x; r < records; r += WB_LANES) encode(source, row * records * WB_RECORD_WORDS, r, norming);
    }
}
