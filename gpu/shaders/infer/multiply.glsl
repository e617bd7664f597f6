// SPDX-License-Identifier: MIT
// Rows of a matrix times columns of activations: up to WB_MAX_COLUMNS tokens, or as many pairs of one expert, for which the weights
// are read once. What is alike for all types; each column is summed in the same order however many go side by side. The includer
// defines biasOf().
#ifndef WB_INFER_MULTIPLY_GLSL
#define WB_INFER_MULTIPLY_GLSL
#include "infer/batch.h"
#include "infer/half.glsl"

layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const uint TYPE = 0;     // of the weights, one of dtypes.h
layout(constant_id = 1) const uint COLUMNS = 1;  // at once
layout(constant_id = 2) const uint EPILOGUE = 0; // WB_STORE …
layout(constant_id = 3) const bool OUTPUTS = false;
layout(constant_id = 4) const bool FUSES = true;
layout(constant_id = 5) const uint ACTIVATION = WB_SILU;
layout(constant_id = 6) const uint EXPERTS = WB_EXPERTS_NONE;
layout(constant_id = 7) const bool FACTORS = false; // of WB_ADD, WB_STORE, WB_GATE and WB_ACTIVATE
layout(constant_id = 8) const uint ROWS_OF_GROUP = WB_ROWS_AT_ONCE; // a multiple of the rows that a workgroup multiplies at once
#include "infer/exact_steps.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
#ifdef FOLLOWED
layout(constant_id = 9) const bool PAIRED = false; // two matrices, one after the other: act(row of the first) * row of the second
layout(binding = 4) coherent buffer Out { float result[]; };
#else
const bool PAIRED = false;
layout(binding = 4) buffer Out { float result[]; };
#endif
const uint MATRICES = PAIRED ? 2 : 1;
layout(binding = 5) readonly buffer Factors { float factors[]; };
layout(binding = 6) readonly buffer Schedule { uint schedule[]; };
layout(push_constant) uniform Push {
    uint rows;         // of this part of the matrix, or of a part of each expert's
    uint columns;      // of the matrix
    uint firstRow;     // where the part starts in a row of the result
    uint stride;       // from one column's result to the next one's
    uint biasAt;       // word of the second buffer where the biases of the part start; 0xFFFFFFFF: none
    float scale;
    float cap;         // of WB_STORE; 0: none
    uint firstExpert;  // of this part
    uint experts;      // of this part
    uint used;         // experts of a token
    uint factorStride; // from one token's factors to the next one's
    uint factorAt;     // the first of a row
    uint outAt;        // where the first row's result is in a column's
    uint factorOf;     // results in a row that share a factor
    uint tokenStride;  // of WB_EXPERTS_ALL: from one token's results to the next one's
#ifdef FOLLOWED
    uint unit;         // rows of the result that belong together
    uint unitGroups;   // workgroups that multiply them
    float epsilon;     // of their norm
    uint pairs;        // of a head that are rotated
    uint context;      // positions that the cache holds
    float addedEpsilon, addedScale; // of rows that are added to x
#endif
};

float biasOf(uint row);

// The columns of this workgroup, and the rows of the matrix that they are multiplied by.
struct Task {
    uint count;         // columns; 0: nothing is to be done
    uint first;         // token, or where in the schedule the pairs are
    uint matrix;        // row of the part where that of row 0 is
    uint own;           // of WB_EXPERTS_ALL: the number of the matrix
};

Task taskOf(uint group) {
    if (EXPERTS == WB_EXPERTS_NONE) {
        uint first = group * COLUMNS, tokens = OUTPUTS ? batch[WB_BATCH_OUTPUTS] : batch[WB_BATCH_TOKENS];
        return Task(first < tokens ? min(COLUMNS, tokens - first) : 0, first, 0, 0);
    }
    if (EXPERTS == WB_EXPERTS_ALL) {
        uint first = group / used * COLUMNS, own = group % used, tokens = batch[WB_BATCH_TOKENS];
        bool isHere = first < tokens && own >= firstExpert && own - firstExpert < experts;
        return Task(isHere ? min(COLUMNS, tokens - first) : 0, first, (own - firstExpert) * rows, own);
    }
    uint at = 1 + group * (1 + COLUMNS);
    if (group >= schedule[0]) return Task(0, 0, 0, 0);
    uint expert = schedule[at] - firstExpert;
    return Task(expert < experts ? COLUMNS : 0, at + 1, expert * rows, 0);
}

// The row of the result; WB_NO_PAIR: the column is not used.
uint resultOf(Task task, uint column) {
    if (EXPERTS == WB_EXPERTS_NONE) return column < task.count ? task.first + column : WB_NO_PAIR;
    if (EXPERTS == WB_EXPERTS_ALL) return column < task.count ? (task.first + column) * used + task.own : WB_NO_PAIR;
    return schedule[task.first + column];
}

// The row of activations; that of a column which is not used can be read.
uint inputOf(Task task, uint column) {
    if (EXPERTS == WB_EXPERTS_NONE) return task.first + column;
    if (EXPERTS == WB_EXPERTS_ALL) return (task.first + column) * used + task.own;
    uint pair = schedule[task.first + column];
    if (pair == WB_NO_PAIR) return 0;
    return EXPERTS == WB_EXPERTS_OF_TOKENS ? pair / used : pair;
}

// `row` of the part, `output_` of resultOf(); `gate` is the product of the first of two matrices.
void finish(Task task, uint row, uint output_, float gate, float product) {
    uint column = EXPERTS == WB_EXPERTS_ALL ? output_ / used * tokenStride + output_ % used * stride : output_ * stride;
    uint at = column + outAt + firstRow + row;
    if (PAIRED) {
        result[at] = activated(ACTIVATION, gate, product);
        return;
    }
    bool hasBias = biasAt != 0xFFFFFFFFu;
    float bias = hasBias ? biasOf(task.matrix + row) : 0.0;
    if (EPILOGUE == WB_ADD) {
        precise float factor = FACTORS ? scale * factors[output_] : scale;
        product = fused(factor, product, result[at]);
        if (hasBias) product = fused(factor, bias, product);
        result[at] = product;
        return;
    }
    if (FACTORS && EPILOGUE != WB_TIMES) {
        precise float times = product * factors[output_ / factorOf];
        product = times;
    }
    if (hasBias) {
        precise float sum = product + bias;
        product = sum;
    }
    if (EPILOGUE == WB_GATE) product = activated(ACTIVATION, result[at], product);
    else if (EPILOGUE == WB_ACTIVATE) {
        precise float scaled = product * scale;
        product = activated(ACTIVATION, scaled, 1.0);
    } else if (EPILOGUE == WB_INJECT) {
        precise float scaled = product * scale;
        product = gated(2.0, scaled);
    }
    else if (EPILOGUE == WB_TIMES)
        product = activated(ACTIVATION, product, factors[output_ * factorStride + factorAt + firstRow + row]);
    else {
        precise float scaled = product * scale;
        product = cap > 0.0 ? softcapped(scaled, cap) : scaled;
    }
    result[at] = product;
}

#ifdef FOLLOWED
#include "infer/follow_up.glsl"
#endif

#endif
