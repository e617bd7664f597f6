// SPDX-License-Identifier: MIT
// Rows of a matrix times up to WB_MAX_COLUMNS tokens: the weights are read once for all of them. WB_ROW_LANES invocations share a
// row, and each token is summed in the same order however many go side by side. The includer defines addProducts().
#ifndef WB_INFER_MULTIPLY_GLSL
#define WB_INFER_MULTIPLY_GLSL
#include "infer/batch.h"
#include "infer/half.glsl"

layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const uint TYPE = 0;     // of the weights, one of dtypes.h
layout(constant_id = 1) const uint COLUMNS = 1;  // tokens at once
layout(constant_id = 2) const uint EPILOGUE = 0; // WB_STORE, WB_ADD or WB_GATE
layout(constant_id = 3) const bool OUTPUTS = false;

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 4) buffer Out { float result[]; };
layout(push_constant) uniform Push {
    uint rows;     // of this part of the matrix
    uint columns;  // of the matrix
    uint firstRow; // where the part begins in a row of the result
    uint stride;   // from one token's result to the next one's
    uint biasAt;   // word of the second buffer where the biases of the part begin; 0xFFFFFFFF: none
    float scale;
};

shared float partial[WB_MAX_COLUMNS * WB_LANES];

void addProducts(uint row, uint lane, uint first, inout float sums[WB_MAX_COLUMNS]);
float biasOf(uint row);

void finish(uint row, uint token, float product) {
    uint at = token * stride + firstRow + row;
    if (biasAt != 0xFFFFFFFFu) product += biasOf(row);
    if (EPILOGUE == WB_ADD) product = fma(scale, product, result[at]);
    if (EPILOGUE == WB_GATE) {
        float gate = result[at];
        product *= gate / (1.0 + exp(-gate));
    }
    result[at] = product;
}

void main() {
    uint first = gl_WorkGroupID.y * COLUMNS;
    uint tokens = OUTPUTS ? batch[WB_BATCH_OUTPUTS] : batch[WB_BATCH_TOKENS];
    if (first >= tokens) return;
    uint at = gl_LocalInvocationID.x;
    uint lane = at % WB_ROW_LANES;
    uint row = gl_WorkGroupID.x * WB_ROWS_AT_ONCE + at / WB_ROW_LANES;
    float sums[WB_MAX_COLUMNS];
    for (uint c = 0; c < WB_MAX_COLUMNS; ++c) sums[c] = 0.0;
    if (row < rows) addProducts(row, lane, first, sums);
    for (uint c = 0; c < COLUMNS; ++c) partial[c * WB_LANES + at] = sums[c];
    for (uint step = WB_ROW_LANES / 2; step > 0; step /= 2) {
        barrier();
        if (lane < step)
            for (uint c = 0; c < COLUMNS; ++c) partial[c * WB_LANES + at] += partial[c * WB_LANES + at + step];
    }
    barrier();
    if (lane < COLUMNS && first + lane < tokens && row < rows)
        finish(row, first + lane, partial[lane * WB_LANES + at - lane]);
}

#endif
