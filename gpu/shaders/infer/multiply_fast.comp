// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#ifdef PACKED
#extension GL_EXT_spirv_intrinsics : require
#endif
// The products of multiply_codes.comp, as fast as the memory gives the weights: a subgroup shares WB_FAST_ROWS rows, its invocations
// read 16 bytes of codes that are side by side, once for all columns, and subgroupAdd() adds up what they have. The sums of 16 columns are
// integers, exact in both forms; only the order in which those are added differs from the exact kernel. PACKED: sums of four
// products by an instruction (SPV_KHR_integer_dot_product); else the codes are multiplied as floats.
#include "dtypes.h"
#include "infer/levels.glsl"
#include "infer/multiply.glsl"

layout(binding = 1) readonly buffer Weights { uvec4 weights[]; };
layout(binding = 2) readonly buffer Scales { uint scales[]; };
layout(binding = 3) readonly buffer X { uvec4 x[]; }; // records of three

float biasOf(uint row) { return uintBitsToFloat(scales[biasAt + row]); }

// 16 activations of a record.
struct Half {
    uvec4 codes;
    float scale;
    float sum; // of the codes
};

Half halfAt(uint record, uint half_) {
    uvec4 rest = x[3 * record + 2]; // scale, minus the sums of both halves
    return Half(x[3 * record + half_], uintBitsToFloat(rest.x), -float(int(half_ == 0 ? rest.y : rest.z)));
}

#ifdef PACKED
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6018, 6019], id = 4450)
int packedDot(uint a, uint b, spirv_literal int format);

float dot16(uvec4 a, uvec4 b) {
    return float(packedDot(a.x, b.x, 0) + packedDot(a.y, b.y, 0) + packedDot(a.z, b.z, 0) + packedDot(a.w, b.w, 0));
}
#else
vec4 bytesOf(uint word) {
    int code = int(word);
    return vec4(code << 24 >> 24, code << 16 >> 24, code << 8 >> 24, code >> 24);
}

float dot16(uvec4 a, uvec4 b) {
    return dot(bytesOf(a.x), bytesOf(b.x)) + dot(bytesOf(a.y), bytesOf(b.y)) + dot(bytesOf(a.z), bytesOf(b.z)) +
           dot(bytesOf(a.w), bytesOf(b.w));
}
#endif

float signedByteOf(uvec4 words, uint index) { return float(bitfieldExtract(int(words[index / 4]), int(8 * (index % 4)), 8)); }

// Types whose items are 16 codes; of others whose items are the nibbles of a record; and super-blocks of eight records.
const bool IS_BYTES = TYPE == WB_Q8_0 || TYPE == WB_CODED || TYPE == WB_CODED_WHOLE;
const bool IS_NIBBLES = TYPE == WB_Q4_0 || TYPE == WB_Q4_1 || TYPE == WB_Q5_0 || TYPE == WB_Q5_1 || TYPE == WB_IQ4_NL ||
                        TYPE == WB_MXFP4 || TYPE == WB_IQ4_XS;

// The activations of an item: 16 codes, or 16 bytes of which two parts of each are codes: of both halves of a record, or of
// the same half of two records.
struct Item {
    Half low, high;
};

Item itemAt(uint input_, uint item) {
    if (IS_BYTES) {
        Half one = halfAt(input_ + item / 2, item % 2);
        return Item(one, one);
    }
    if (IS_NIBBLES) return Item(halfAt(input_ + item, 0), halfAt(input_ + item, 1));
    uint block = input_ + item / 8 * 8, j = item % 8;
    const bool neighbors = TYPE != WB_Q6_K;
    uint low = j / 2 * 2; // of Q4_K and Q5_K
    if (TYPE == WB_Q2_K || TYPE == WB_Q3_K) low = j / 4 * 4 + j % 4 / 2 * 2;
    if (TYPE == WB_Q6_K) low = j / 4 * 4 + j % 4 / 2;
    return Item(halfAt(block + low, j % 2), halfAt(block + low + (neighbors ? 1 : 2), j % 2));
}

// Items of a row are counted through the rows of the matrix.
float partQ8_0(uint at, Item a) {
    float scale = halfToFloat(scales[at / 2] & 0xFFFFu) * a.low.scale;
    return scale * dot16(weights[at], a.low.codes);
}

// The scale and the minimum of a record, of 6 bits each (multiply_codes.comp).
vec2 affineOf(uvec4 header, uint j) {
    uint code = byteOf(header, 4 + j), offset = byteOf(header, 8 + j);
    if (j < 4) return vec2(code & 63u, offset & 63u);
    return vec2(offset & 15u | byteOf(header, j) >> 6 << 4, offset >> 4 | byteOf(header, 4 + j) >> 6 << 4);
}

float partAffine_K(uint at, Item a) {
    const uint units = TYPE == WB_Q5_K ? 11 : 9; // of 16 bytes
    uint block = at / 8 * units, j = at % 8, record = j / 2 * 2;
    uvec4 header = weights[block], both = weights[block + units - 8 + j];
    uvec4 lowCodes = both & 0x0F0F0F0Fu, highCodes = both >> 4 & 0x0F0F0F0Fu;
    if (TYPE == WB_Q5_K) {
        uvec4 fifth = weights[block + 1 + j % 2] >> record;
        lowCodes |= (fifth & 0x01010101u) << 4;
        highCodes |= (fifth >> 1 & 0x01010101u) << 4;
    }
    vec2 low = affineOf(header, record), high = affineOf(header, record + 1);
    float codes = low.x * a.low.scale * dot16(lowCodes, a.low.codes) + high.x * a.high.scale * dot16(highCodes, a.high.codes);
    float minimums = low.y * a.low.scale * a.low.sum + high.y * a.high.scale * a.high.sum;
    return halfToFloat(header.x & 0xFFFFu) * codes - halfToFloat(header.x >> 16) * minimums;
}

float partQ6_K(uint at, Item a) {
    uint block = at / 8, j = at % 8, base = block * 13;
    uint quarter = j % 4 / 2, half_ = j % 2, low = 2 * (j / 4 * 4 + quarter) + half_;
    uvec4 nibbles = weights[base + j], pairs = weights[base + 8 + j / 4 * 2 + half_], steps = weights[base + 12];
    uvec4 lowCodes = nibbles & 0x0F0F0F0Fu | (pairs >> (2 * quarter) & 0x03030303u) << 4;
    uvec4 highCodes = nibbles >> 4 & 0x0F0F0F0Fu | (pairs >> (2 * quarter + 4) & 0x03030303u) << 4;
    return halfToFloat(scales[block] & 0xFFFFu) *
           (signedByteOf(steps, low) * a.low.scale * (dot16(lowCodes, a.low.codes) - 32.0 * a.low.sum) +
            signedByteOf(steps, low + 4) * a.high.scale * (dot16(highCodes, a.high.codes) - 32.0 * a.high.sum));
}

// Of one type after another: all are scale * codes + minimum, or scale * (codes - bias).
float partQ4(uint at, Item a) {
    uvec4 both = weights[at];
    uint word = scales[at];
    float codes = dot16(both & 0x0F0F0F0Fu, a.low.codes) + dot16(both >> 4 & 0x0F0F0F0Fu, a.high.codes);
    float scale = halfToFloat(word & 0xFFFFu), sum = a.low.sum + a.high.sum;
    return a.low.scale * (scale * codes + (TYPE == WB_Q4_1 ? halfToFloat(word >> 16) : -8.0 * scale) * sum);
}

float partQ5(uint at, Item a) {
    uvec4 both = weights[at];
    uint word = scales[2 * at], fifth = scales[2 * at + 1];
    float codes = dot16(both & 0x0F0F0F0Fu | fifthBits16(fifth), a.low.codes) +
                  dot16(both >> 4 & 0x0F0F0F0Fu | fifthBits16(fifth >> 16), a.high.codes);
    float scale = halfToFloat(word & 0xFFFFu), sum = a.low.sum + a.high.sum;
    return a.low.scale * (scale * codes + (TYPE == WB_Q5_1 ? halfToFloat(word >> 16) : -16.0 * scale) * sum);
}

float partIQ4_NL(uint at, Item a) {
    uvec4 both = weights[at];
    return halfToFloat(scales[at] & 0xFFFFu) * a.low.scale *
           (dot16(iq4Words(both & 0x0F0F0F0Fu), a.low.codes) + dot16(iq4Words(both >> 4 & 0x0F0F0F0Fu), a.high.codes));
}

float partMXFP4(uint at, Item a) {
    uvec4 both = weights[at];
    return uintBitsToFloat(scales[at]) * a.low.scale *
           (dot16(fp4Words(both & 0x0F0F0F0Fu), a.low.codes) + dot16(fp4Words(both >> 4 & 0x0F0F0F0Fu), a.high.codes));
}

// Every other block type: levels as codes, a scale and a minimum for 16 of them.
float partCoded(uint at, Item a) {
    uint words = at / 2 * 4 + at % 2;
    return a.low.scale *
           (uintBitsToFloat(scales[words]) * dot16(weights[at], a.low.codes) + uintBitsToFloat(scales[words + 2]) * a.low.sum);
}

float partQ2_K(uint at, Item a) {
    uint block = at / 8, j = at % 8, low = 2 * (j / 4 * 4 + j % 4 / 2 * 2) + j % 2, shift = j % 4 / 2 * 4, header = scales[block];
    uvec4 steps = weights[5 * block], pairs = weights[5 * block + 1 + j / 4 * 2 + j % 2] >> shift;
    uint lowStep = byteOf(steps, low), highStep = byteOf(steps, low + 2);
    float codes = float(lowStep & 15u) * a.low.scale * dot16(pairs & 0x03030303u, a.low.codes) +
                  float(highStep & 15u) * a.high.scale * dot16(pairs >> 2 & 0x03030303u, a.high.codes);
    float minimums = float(lowStep >> 4) * a.low.scale * a.low.sum + float(highStep >> 4) * a.high.scale * a.high.sum;
    return halfToFloat(header & 0xFFFFu) * codes - halfToFloat(header >> 16) * minimums;
}

// One of the 16 scales of a block (multiply_codes.comp).
float scaleQ3(uint words, uint index) {
    uint word = index / 4;
    uint low = scales[words + word % 2] >> (4 * (word / 2)) & 0x0F0F0F0Fu, high = scales[words + 2] >> (2 * word) & 0x03030303u;
    return float(int((low | high << 4) >> (8 * (index % 4)) & 63u) - 32);
}

float partQ3_K(uint at, Item a) {
    uint block = at / 8, j = at % 8, record = j / 4 * 4 + j % 4 / 2 * 2, low = 2 * record + j % 2;
    uvec4 thirds = weights[6 * block + j % 2] >> record, pairs = weights[6 * block + 2 + j / 4 * 2 + j % 2] >> (j % 4 / 2 * 4);
    uvec4 lowCodes = pairs & 0x03030303u | (thirds & 0x01010101u) << 2;
    uvec4 highCodes = pairs >> 2 & 0x03030303u | (thirds >> 1 & 0x01010101u) << 2;
    return halfToFloat(scales[4 * block + 3] & 0xFFFFu) *
           (scaleQ3(4 * block, low) * a.low.scale * (dot16(lowCodes, a.low.codes) - 4.0 * a.low.sum) +
            scaleQ3(4 * block, low + 2) * a.high.scale * (dot16(highCodes, a.high.codes) - 4.0 * a.high.sum));
}

float partIQ4_XS(uint at, Item a) {
    uvec4 both = weights[at];
    uint block = at / 8 * 2, j = at % 8, header = scales[block];
    int step = int(scales[block + 1] >> (4 * j) & 15u | (header >> (16 + 2 * j) & 3u) << 4) - 32;
    return halfToFloat(header & 0xFFFFu) * float(step) * a.low.scale *
           (dot16(iq4Words(both & 0x0F0F0F0Fu), a.low.codes) + dot16(iq4Words(both >> 4 & 0x0F0F0F0Fu), a.high.codes));
}

float partOf(uint at, Item a) {
    switch (TYPE) {
    case WB_Q4_0:
    case WB_Q4_1: return partQ4(at, a);
    case WB_Q5_0:
    case WB_Q5_1: return partQ5(at, a);
    case WB_IQ4_NL: return partIQ4_NL(at, a);
    case WB_MXFP4: return partMXFP4(at, a);
    case WB_CODED:
    case WB_CODED_WHOLE: return partCoded(at, a);
    case WB_Q2_K: return partQ2_K(at, a);
    case WB_Q3_K: return partQ3_K(at, a);
    case WB_IQ4_XS: return partIQ4_XS(at, a);
    case WB_Q4_K:
    case WB_Q5_K: return partAffine_K(at, a);
    case WB_Q6_K: return partQ6_K(at, a);
    }
    return partQ8_0(at, a);
}

void main() {
    Task task = taskOf(gl_WorkGroupID.y);
    if (task.count == 0) return;
    uint inputs[COLUMNS];
    [[unroll]] for (uint c = 0; c < COLUMNS; ++c) inputs[c] = inputOf(task, c) * (columns / WB_RECORD_COLUMNS);
    // The invocation with a column's number finishes it; a subgroup has at least WB_MAX_COLUMNS.
    uint column = gl_SubgroupInvocationID, output_ = column < COLUMNS ? resultOf(task, column) : WB_NO_PAIR;
    uint items = columns / (IS_BYTES ? 16 : 32);
    uint lanes = subgroupAdd(1u); // drivers may choose another number than gl_SubgroupSize
    for (uint r = gl_SubgroupID * WB_FAST_ROWS; r < ROWS_OF_GROUP; r += gl_NumSubgroups * WB_FAST_ROWS) {
        uint row = gl_WorkGroupID.x * ROWS_OF_GROUP + r;
        if (row >= rows) break;
        float own[MATRICES * WB_FAST_ROWS * COLUMNS]; // sums of this invocation
        [[unroll]] for (uint i = 0; i < MATRICES * WB_FAST_ROWS * COLUMNS; ++i) own[i] = 0.0;
        for (uint item = gl_SubgroupInvocationID; item < items; item += lanes)
            // One row's codes at a time, which are a register each in the float form; of a single column, all rows' at once.
            [[unroll]] for (uint i = 0; i < MATRICES * WB_FAST_ROWS; ++i) {
                uint at = (task.matrix + i / WB_FAST_ROWS * rows + min(row + i % WB_FAST_ROWS, rows - 1)) * items + item;
                [[unroll]] for (uint c = 0; c < COLUMNS; ++c) {
                    if (COLUMNS > 1 && c >= task.count) break;
                    own[i * COLUMNS + c] += partOf(at, itemAt(inputs[c], item));
                }
            }
        [[unroll]] for (uint i = 0; i < WB_FAST_ROWS; ++i) {
            float gate = 0.0, sum = 0.0;
            [[unroll]] for (uint m = 0; m < MATRICES; ++m) {
                gate = sum;
                [[unroll]] for (uint c = 0; c < COLUMNS; ++c) {
                    float ofColumn = subgroupAdd(own[(m * WB_FAST_ROWS + i) * COLUMNS + c]);
                    if (c == column) sum = ofColumn;
                }
            }
            if (output_ != WB_NO_PAIR && row + i < rows) finish(task, row + i, output_, gate, sum);
        }
    }
#ifdef FOLLOWED
    followUp();
#endif
}
