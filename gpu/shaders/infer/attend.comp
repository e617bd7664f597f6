// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// Attention of one head of one token, a workgroup: 64 positions at a time, with the softmax carried along (the largest score so far,
// and sums that are scaled down when a larger one comes). Twins: scores, softmax and mix of core/infer/cpu/kernels.h.
#include "infer/batch.h"
#include "infer/half.glsl"
layout(local_size_x = WB_LANES) in;

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) readonly buffer Queries { float queries[]; };
layout(binding = 2) readonly buffer Keys { uint keys[]; }; // [head][context][keyLength] of f16
layout(binding = 3) readonly buffer Values { uint values[]; };
layout(binding = 4) writeonly buffer Out { float result[]; };
layout(push_constant) uniform Push {
    uint heads;     // of queries, in a row
    uint firstHead; // of this dispatch
    uint group;     // heads that share one of keys
    uint keyLength;
    uint valueLength;
    uint context;
    uint window; // positions that are looked back; 0: all
    float scale;
};

const float least = -3.0e38;
const uint shares = WB_MAX_HEAD_LENGTH / WB_LANES;

shared float query[WB_MAX_HEAD_LENGTH];
shared float weights[WB_LANES];
shared float folded[WB_LANES];

float largest(float value) {
    uint lane = gl_LocalInvocationID.x;
    folded[lane] = value;
    barrier();
    for (uint step = WB_LANES / 2; step > 0; step /= 2) {
        if (lane < step) folded[lane] = max(folded[lane], folded[lane + step]);
        barrier();
    }
    float result_ = folded[0];
    barrier();
    return result_;
}

float total(float value) {
    uint lane = gl_LocalInvocationID.x;
    folded[lane] = value;
    barrier();
    for (uint step = WB_LANES / 2; step > 0; step /= 2) {
        if (lane < step) folded[lane] += folded[lane + step];
        barrier();
    }
    return folded[0];
}

float scoreOf(uint head, uint position) {
    uint words = keyLength / 2, at = (head * context + position) * words;
    float sum = 0.0;
    for (uint w = 0; w < words; ++w) {
        uint pair = keys[at + w];
        sum = fma(query[2 * w], halfToFloat(pair & 0xFFFFu), sum);
        sum = fma(query[2 * w + 1], halfToFloat(pair >> 16), sum);
    }
    return sum * scale;
}

float valueAt(uint head, uint position, uint element) {
    uint pair = values[((head * context + position) * valueLength + element) / 2];
    return halfToFloat((element & 1u) != 0u ? pair >> 16 : pair & 0xFFFFu);
}

void main() {
    uint token = gl_WorkGroupID.y, lane = gl_LocalInvocationID.x;
    if (token >= batch[WB_BATCH_TOKENS]) return;
    uint head = gl_WorkGroupID.x / group, ownHead = firstHead + gl_WorkGroupID.x;
    for (uint i = lane; i < keyLength; i += WB_LANES) query[i] = queries[(token * heads + ownHead) * keyLength + i];
    barrier();
    uint last = batch[WB_BATCH_POSITION] + token;
    uint first = window > 0 && last + 1 > window ? last + 1 - window : 0;
    float best = least, sum = 0.0;
    float mixed[shares];
    for (uint i = 0; i < shares; ++i) mixed[i] = 0.0;
    for (uint tile = first; tile <= last; tile += WB_LANES) {
        uint position = tile + lane;
        float score = position <= last ? scoreOf(head, position) : least;
        float higher = max(best, largest(score));
        float shrink = exp(best - higher);
        float weight = position <= last ? exp(score - higher) : 0.0;
        best = higher;
        sum = fma(sum, shrink, weight);
        weights[lane] = weight;
        barrier();
        uint count = min(last + 1 - tile, WB_LANES);
        for (uint i = 0; i < shares; ++i) {
            uint element = lane + i * WB_LANES;
            if (element >= valueLength) break;
            float part = mixed[i] * shrink;
            for (uint p = 0; p < count; ++p) part = fma(weights[p], valueAt(head, tile + p, element), part);
            mixed[i] = part;
        }
        barrier();
    }
    float whole = total(sum);
    for (uint i = 0; i < shares; ++i) {
        uint element = lane + i * WB_LANES;
        if (element < valueLength) result[(token * heads + ownHead) * valueLength + element] = mixed[i] / whole;
    }
}
