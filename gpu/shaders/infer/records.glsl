// SPDX-License-Identifier: MIT
// Records of weights that are codes, in the layout of gpu/infer/layout.h. The includer defines TYPE, one of dtypes.h, and the buffers
// `weights` and `scales`.
#ifndef WB_INFER_RECORDS_GLSL
#define WB_INFER_RECORDS_GLSL
#include "infer/half.glsl"
#include "infer/levels.glsl"

// 32 columns of a row.
struct Record {
    uvec4 low, high; // codes of the first and the last 16, four a word
    vec2 scale;      // of both
    vec2 minimum;    // of both
    int bias;        // of the codes
};

int signedByte(uint word, uint index) { return bitfieldExtract(int(word), int(8 * index), 8); }

Record recordQ8_0(uint at) {
    return Record(weights[2 * at], weights[2 * at + 1], vec2(halfToFloat(scales[at] & 0xFFFFu)), vec2(0.0), 0);
}

Record recordQ4(uint at) {
    uvec4 both = weights[at];
    uint word = scales[at];
    float minimum = TYPE == WB_Q4_1 ? halfToFloat(word >> 16) : 0.0;
    return Record(both & 0x0F0F0F0Fu, both >> 4 & 0x0F0F0F0Fu, vec2(halfToFloat(word & 0xFFFFu)), vec2(minimum),
                  TYPE == WB_Q4_0 ? 8 : 0);
}

Record recordQ5(uint at) {
    uvec4 both = weights[at];
    uint word = scales[2 * at], high = scales[2 * at + 1];
    float minimum = TYPE == WB_Q5_1 ? halfToFloat(word >> 16) : 0.0;
    return Record(both & 0x0F0F0F0Fu | fifthBits16(high), both >> 4 & 0x0F0F0F0Fu | fifthBits16(high >> 16),
                  vec2(halfToFloat(word & 0xFFFFu)), vec2(minimum), TYPE == WB_Q5_0 ? 16 : 0);
}

// The 12 bytes behind both halves of the header hold eight scales and eight minimums of 6 bits; in Q5_K the fifth bits follow.
Record recordAffine_K(uint at) {
    const uint units = TYPE == WB_Q5_K ? 11 : 9; // of 16 bytes
    uint block = at / 8 * units, j = at % 8;
    uvec4 header = weights[block];
    uint code = byteOf(header, 4 + j), offset = byteOf(header, 8 + j);
    if (j < 4) {
        code &= 63u;
        offset &= 63u;
    } else {
        uint both = offset;
        code = both & 15u | byteOf(header, j) >> 6 << 4;
        offset = both >> 4 | byteOf(header, 4 + j) >> 6 << 4;
    }
    uint shift = 4 * (j % 2), pair = block + units - 8 + j / 2 * 2;
    uvec4 low = weights[pair] >> shift & 0x0F0F0F0Fu, high = weights[pair + 1] >> shift & 0x0F0F0F0Fu;
    if (TYPE == WB_Q5_K) {
        low |= (weights[block + 1] >> j & 0x01010101u) << 4;
        high |= (weights[block + 2] >> j & 0x01010101u) << 4;
    }
    return Record(low, high, vec2(halfToFloat(header.x & 0xFFFFu) * float(code)),
                  vec2(-halfToFloat(header.x >> 16) * float(offset)), 0);
}

Record recordQ6_K(uint at) {
    uint block = at / 8, j = at % 8;
    uint base = block * 13, quarter = j % 4;
    uint nibbles = base + j / 4 * 4 + quarter % 2 * 2, pairs = base + 8 + j / 4 * 2;
    uint shift = quarter / 2 * 4;
    uvec4 steps = weights[base + 12];
    float d = halfToFloat(scales[block] & 0xFFFFu);
    vec2 scale = d * vec2(signedByte(steps[j / 2], j % 2 * 2), signedByte(steps[j / 2], j % 2 * 2 + 1));
    return Record(weights[nibbles] >> shift & 0x0F0F0F0Fu | (weights[pairs] >> (2 * quarter) & 0x03030303u) << 4,
                  weights[nibbles + 1] >> shift & 0x0F0F0F0Fu | (weights[pairs + 1] >> (2 * quarter) & 0x03030303u) << 4, scale,
                  vec2(0.0), 32);
}

// 16 bytes of scales (low nibbles) and minimums (high), then for each half 32 bytes of four codes of 2 bits.
Record recordQ2_K(uint at) {
    uint block = at / 8 * 5, j = at % 8, pairs = block + 1 + j / 4 * 2, shift = 2 * (j % 4);
    uvec4 both = weights[block];
    uint low = byteOf(both, 2 * j), high = byteOf(both, 2 * j + 1), header = scales[at / 8];
    return Record(weights[pairs] >> shift & 0x03030303u, weights[pairs + 1] >> shift & 0x03030303u,
                  halfToFloat(header & 0xFFFFu) * vec2(low & 15u, high & 15u),
                  -halfToFloat(header >> 16) * vec2(low >> 4, high >> 4), 0);
}

// Scale `index` of 16 from three words: four low bits, then two high ones (unpackScalesQ3 of core/tensor/block_layout.h).
int scaleQ3(uint words, uint index) {
    uint word = index / 4, shift = 8 * (index % 4);
    uint low = scales[words + word % 2] >> (4 * (word / 2)) & 0x0F0F0F0Fu;
    uint high = scales[words + 2] >> (2 * word) & 0x03030303u;
    return int((low | high << 4) >> shift & 63u) - 32;
}

// 32 bytes of third bits, then for each half 32 bytes of four codes of 2 bits.
Record recordQ3_K(uint at) {
    uint block = at / 8 * 6, j = at % 8, pairs = block + 2 + j / 4 * 2, shift = 2 * (j % 4), words = at / 8 * 4;
    float d = halfToFloat(scales[words + 3] & 0xFFFFu);
    return Record(weights[pairs] >> shift & 0x03030303u | (weights[block] >> j & 0x01010101u) << 2,
                  weights[pairs + 1] >> shift & 0x03030303u | (weights[block + 1] >> j & 0x01010101u) << 2,
                  d * vec2(scaleQ3(words, 2 * j), scaleQ3(words, 2 * j + 1)), vec2(0.0), 4);
}

Record recordIQ4(uint at) {
    uvec4 both = weights[at];
    float scale;
    if (TYPE == WB_IQ4_NL) {
        scale = halfToFloat(scales[at] & 0xFFFFu);
    } else { // of 6 bits: four low ones, then two high ones
        uint block = at / 8 * 2, j = at % 8, header = scales[block];
        int step = int(scales[block + 1] >> (4 * j) & 15u | (header >> (16 + 2 * j) & 3u) << 4) - 32;
        scale = halfToFloat(header & 0xFFFFu) * float(step);
    }
    return Record(iq4Words(both & 0x0F0F0F0Fu), iq4Words(both >> 4 & 0x0F0F0F0Fu), vec2(scale), vec2(0.0), 0);
}

Record recordCoded(uint at) {
    return Record(weights[2 * at], weights[2 * at + 1], vec2(uintBitsToFloat(scales[4 * at]), uintBitsToFloat(scales[4 * at + 1])),
                  vec2(uintBitsToFloat(scales[4 * at + 2]), uintBitsToFloat(scales[4 * at + 3])), 0);
}

Record recordMXFP4(uint at) {
    uvec4 both = weights[at];
    return Record(fp4Words(both & 0x0F0F0F0Fu), fp4Words(both >> 4 & 0x0F0F0F0Fu), vec2(uintBitsToFloat(scales[at])),
                  vec2(0.0), 0);
}

Record recordAt(uint at) {
    switch (TYPE) {
    case WB_Q8_0: return recordQ8_0(at);
    case WB_Q5_0:
    case WB_Q5_1: return recordQ5(at);
    case WB_Q4_K:
    case WB_Q5_K: return recordAffine_K(at);
    case WB_Q6_K: return recordQ6_K(at);
    case WB_MXFP4: return recordMXFP4(at);
    case WB_Q2_K: return recordQ2_K(at);
    case WB_Q3_K: return recordQ3_K(at);
    case WB_IQ4_NL:
    case WB_IQ4_XS: return recordIQ4(at);
    case WB_CODED:
    case WB_CODED_WHOLE: return recordCoded(at);
    }
    return recordQ4(at);
}

#endif
