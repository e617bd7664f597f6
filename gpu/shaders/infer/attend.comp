// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
// Attention of one head of one token, a workgroup: all scores, then their weights, then the mixed values, each in the order of the
// CPU, whose bits come out. Twins: scores, softmax and mix of core/infer/cpu/kernels/kernels.h.
#include "infer/batch.h"
#include "infer/cache.glsl"
#include "infer/half.glsl"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const uint KEYS = WB_CACHE_F16;
layout(constant_id = 1) const uint VALUES = WB_CACHE_F16;
layout(constant_id = 2) const bool FUSES = true;
layout(constant_id = 3) const bool CAPS = false; // the scores
layout(constant_id = 4) const bool SINKS = false;
layout(constant_id = 5) const bool CHUNKED = false; // the window starts at the last multiple of its length
layout(constant_id = 6) const bool SELECTS = false; // only some positions are seen
layout(constant_id = 7) const bool CODES = false;   // the result as codes of 8 bits, too
#include "infer/codes.glsl"
#include "infer/exact_steps.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) readonly buffer Queries { float queries[]; };
layout(binding = 2) readonly buffer Keys { uint keys[]; }; // [head][context] positions of cache.glsl
layout(binding = 3) readonly buffer Values { uint values[]; };
layout(binding = 4) writeonly buffer Out { float result[]; };
layout(binding = 5) buffer Scores { float scores[]; }; // [workgroup][context]
layout(binding = 6) readonly buffer Sinks { float sinks[]; }; // of each head
layout(binding = 7) readonly buffer Selected { uint selected[]; }; // [token][selectedStride] positions, ascending
layout(binding = 8) readonly buffer Counts { uint counts[]; };     // [token]; 0: all positions
layout(binding = 9) writeonly buffer Codes { uint codes[]; };
layout(push_constant) uniform Push {
    uint heads;      // of queries, in a row
    uint firstHead;  // of this dispatch
    uint firstToken; // of this dispatch
    uint group;      // heads that share one of keys
    uint keyLength;
    uint valueLength;
    uint context;
    uint window; // positions that are looked back; 0: all
    float scale;
    float cap;
    uint selectedStride;
};

const float least = -3.0e38;
const uint shares = WB_MAX_HEAD_LENGTH / WB_LANES;

shared float query[WB_MAX_KEY_LENGTH]; // in the end the result
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

float codedNumber(uint index) { return query[index]; }

void putCode(uint at, uint word) { codes[at] = word; }

float codeOf(uint word, uint element) { return float(bitfieldExtract(int(word), int(8 * (element % 4)), 8)); }

float scoreOf(uint head, uint position) {
    uint at = (head * context + position) * positionWords(KEYS, keyLength);
    float sum = 0.0;
    if (KEYS == WB_CACHE_Q8_0) {
        uint scales = at + codeWords(keyLength);
        for (uint first = 0; first < keyLength; first += WB_CACHE_GROUP) {
            float part = 0.0;
            for (uint d = first; d < min(first + WB_CACHE_GROUP, keyLength); ++d)
                part = fused(query[d], codeOf(keys[at + d / 4], d), part);
            sum = fused(part, halfToFloat(keys[scales + first / WB_CACHE_GROUP]), sum);
        }
    } else {
        for (uint d = 0; d < keyLength; ++d) {
            float key = KEYS == WB_CACHE_F32 ? uintBitsToFloat(keys[at + d])
                                             : halfToFloat(keys[at + d / 2] >> (16 * (d % 2)) & 0xFFFFu);
            sum = fused(query[d], key, sum);
        }
    }
    precise float scaled = sum * scale;
    return CAPS ? softcapped(scaled, cap) : scaled;
}

float mix(uint head, uint position, uint element, float weight, float sum) {
    uint at = (head * context + position) * positionWords(VALUES, valueLength);
    if (VALUES == WB_CACHE_F32) return fused(weight, uintBitsToFloat(values[at + element]), sum);
    if (VALUES == WB_CACHE_Q8_0) {
        float step = halfToFloat(values[at + codeWords(valueLength) + element / WB_CACHE_GROUP]);
        precise float scaled = weight * step;
        return fused(scaled, codeOf(values[at + element / 4], element), sum);
    }
    return fused(weight, halfToFloat(values[at + element / 2] >> (16 * (element % 2)) & 0xFFFFu), sum);
}

void main() {
    uint token = firstToken + gl_WorkGroupID.y, lane = gl_LocalInvocationID.x;
    if (token >= batch[WB_BATCH_TOKENS]) return;
    uint head = gl_WorkGroupID.x / group, ownHead = firstHead + gl_WorkGroupID.x;
    uint row = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * context;
    for (uint i = lane; i < keyLength; i += WB_LANES) query[i] = queries[(token * heads + ownHead) * keyLength + i];
    barrier();
    // Seen positions are counted from the first to the last one; a selection is counted by itself.
    uint last = batch[WB_BATCH_POSITION] + token;
    uint first = window > 0 && last + 1 > window ? last + 1 - window : 0;
    if (CHUNKED) first = last / window * window;
    bool picks = SELECTS && counts[token] > 0;
    uint list = token * selectedStride;
    if (picks) {
        first = 0;
        last = counts[token] - 1;
    }
    uint begin = first / WB_LANES * WB_LANES; // number p is of lane p % WB_LANES
    float best = least;
    for (uint p = begin + lane; p <= last; p += WB_LANES) {
        float score = p >= first ? scoreOf(head, picks ? selected[list + p] : p) : least;
        scores[row + p] = score;
        best = max(best, score);
    }
    best = largest(SINKS ? max(best, sinks[ownHead]) : best);
    float sum = 0.0;
    for (uint p = begin + lane; p <= last; p += WB_LANES) {
        precise float less = scores[row + p] - best;
        float weight = less > -87.0 ? exponential(less) : 0.0;
        scores[row + p] = weight;
        sum += weight;
    }
    precise float all = total(sum);
    if (SINKS) {
        precise float less = sinks[ownHead] - best;
        all += less > -87.0 ? exponential(less) : 0.0;
    }
    float inverse = exactDivide(1.0, all);
    float mixed[shares];
    for (uint i = 0; i < shares; ++i) mixed[i] = 0.0;
    for (uint tile = begin; tile <= last; tile += WB_LANES) {
        precise float weight = tile + lane <= last ? scores[row + tile + lane] * inverse : 0.0;
        weights[lane] = weight;
        barrier();
        uint count = min(last + 1 - tile, WB_LANES);
        for (uint i = 0; i < shares; ++i) {
            uint element = lane + i * WB_LANES;
            if (element >= valueLength) break;
            float part = mixed[i];
            for (uint p = max(first, tile) - tile; p < count; ++p)
                part = mix(head, picks ? selected[list + tile + p] : tile + p, element, weights[p], part);
            mixed[i] = part;
        }
        barrier();
    }
    uint to = token * heads + ownHead;
    for (uint i = 0; i < shares; ++i) {
        uint element = lane + i * WB_LANES;
        if (element >= valueLength) break;
        result[to * valueLength + element] = mixed[i];
        query[element] = mixed[i];
    }
    if (!CODES) return;
    barrier();
    uint records = valueLength / WB_RECORD_COLUMNS;
    encodeRecords(records, to * records * WB_RECORD_WORDS);
}
