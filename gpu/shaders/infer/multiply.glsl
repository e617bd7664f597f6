// SPDX-License-Identifier: MIT
// Rows of a matrix times up to WB_MAX_COLUMNS tokens: the weights are read once for all of them. What is alike for all types; each
// token is summed in the same order however many go side by side. The includer defines biasOf().
#ifndef WB_INFER_MULTIPLY_GLSL
#define WB_INFER_MULTIPLY_GLSL
#include "infer/batch.h"
#include "infer/half.glsl"

layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const uint TYPE = 0;     // of the weights, one of dtypes.h
layout(constant_id = 1) const uint COLUMNS = 1;  // tokens at once
layout(constant_id = 2) const uint EPILOGUE = 0; // WB_STORE, WB_ADD or WB_GATE
layout(constant_id = 3) const bool OUTPUTS = false;
layout(constant_id = 4) const bool FUSES = true;
#include "infer/exact_steps.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 4) buffer Out { float result[]; };
layout(push_constant) uniform Push {
    uint rows;     // of this part of the matrix
    uint columns;  // of the matrix
    uint firstRow; // where the part starts in a row of the result
    uint stride;   // from one token's result to the next one's
    uint biasAt;   // word of the second buffer where the biases of the part start; 0xFFFFFFFF: none
    float scale;
};

float biasOf(uint row);

uint tokensOfBatch() { return OUTPUTS ? batch[WB_BATCH_OUTPUTS] : batch[WB_BATCH_TOKENS]; }

void finish(uint row, uint token, float product) {
    uint at = token * stride + firstRow + row;
    bool hasBias = biasAt != 0xFFFFFFFFu;
    float bias = hasBias ? biasOf(row) : 0.0;
    if (EPILOGUE == WB_ADD) {
        product = fused(scale, product, result[at]);
        if (hasBias) product = fused(scale, bias, product);
    } else if (hasBias) {
        precise float sum = product + bias;
        product = sum;
    }
    if (EPILOGUE == WB_GATE) {
        precise float open = gated(result[at]) * product;
        product = open;
    }
    result[at] = product;
}

#endif
