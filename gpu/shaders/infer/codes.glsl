// SPDX-License-Identifier: MIT
// Numbers as codes of 8 bits with a scale for each 32, by one workgroup: eight invocations a record of batch.h, four numbers each.
// Twin: quantize of core/infer/cpu/kernels/kernels.h. The includer defines the numbers and the words, and includes
// GL_EXT_control_flow_attributes.
#ifndef WB_INFER_CODES_GLSL
#define WB_INFER_CODES_GLSL
#include "exact.glsl"
#include "infer/batch.h"

float codedNumber(uint index); // of those that are encoded
void putCode(uint at, uint word);

const uint RECORD_LANES = WB_RECORD_COLUMNS / 4;

shared float recordSizes[WB_LANES];
shared int recordSums[WB_LANES];

// The first `records` times 32 numbers, into words from `target` on. All invocations call it.
void encodeRecords(uint records, uint target) {
    uint lane = gl_LocalInvocationID.x, share = lane % RECORD_LANES, first = lane - share;
    for (uint begin = 0; begin < records; begin += WB_LANES / RECORD_LANES) {
        uint record = begin + lane / RECORD_LANES;
        float values[4] = float[](0.0, 0.0, 0.0, 0.0);
        if (record < records)
            [[unroll]] for (uint i = 0; i < 4; ++i) values[i] = codedNumber(record * WB_RECORD_COLUMNS + 4 * share + i);
        float size = 0.0;
        [[unroll]] for (uint i = 0; i < 4; ++i) size = max(size, abs(values[i]));
        recordSizes[lane] = size;
        barrier();
        float absmax = 0.0;
        [[unroll]] for (uint i = 0; i < RECORD_LANES; ++i) absmax = max(absmax, recordSizes[first + i]);
        float inverse = absmax > 1e-30 ? exactDivide(127.0, absmax) : 0.0; // what is less may be flushed
        uint word = 0;
        int sum = 0;
        [[unroll]] for (uint i = 0; i < 4; ++i) {
            precise float scaled = values[i] * inverse;
            int code = int(roundEven(scaled));
            sum += code;
            word |= (uint(code) & 255u) << (8 * i);
        }
        recordSums[lane] = sum;
        barrier();
        if (record < records) {
            uint at = target + record * WB_RECORD_WORDS;
            putCode(at + share, word);
            if (share == 0) {
                ivec2 total = ivec2(0); // of both halves
                [[unroll]] for (uint i = 0; i < RECORD_LANES; ++i) total[2 * i / RECORD_LANES] += recordSums[first + i];
                float scale = exactDivide(absmax, 127.0);
                putCode(at + 8, floatBitsToUint(scale));
                putCode(at + 9, uint(-total.x));
                putCode(at + 10, uint(-total.y));
                precise float offset = scale * float(total.x + total.y);
                putCode(at + 11, floatBitsToUint(offset));
            }
        }
    }
}

#endif
