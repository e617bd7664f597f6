// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
// Attention of one token, the context split over workgroups: each has some positions of one head of keys and up to
// WB_FAST_HEADS heads of queries that share it, so that keys and values are read once. The workgroup that finishes last mixes the
// results of all. Only the order of sums differs from the exact kernel, attend.comp. Dao et al., Flash-Decoding for long-context
// inference, 2023.
#include "infer/batch.h"
#include "infer/cache.glsl"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const uint KEYS = WB_CACHE_F16;
layout(constant_id = 1) const uint VALUES = WB_CACHE_F16;
layout(constant_id = 2) const uint HEADS = 1; // of queries in a workgroup
layout(constant_id = 3) const bool CAPS = false; // the scores
layout(constant_id = 4) const bool SINKS = false;
layout(constant_id = 5) const bool CHUNKED = false; // the window starts at the last multiple of its length
layout(constant_id = 6) const uint KEY_LENGTH = 64;
layout(constant_id = 7) const bool CODES = false; // the result as codes of 8 bits, too
#include "infer/arrival.glsl"
#include "infer/codes.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) readonly buffer Queries { vec4 queries[]; };
layout(binding = 2) readonly buffer Keys { uint keys[]; }; // [head][context] positions of cache.glsl
layout(binding = 2) readonly buffer WideKeys { uvec4 wideKeys[]; };
layout(binding = 3) readonly buffer Values { uint values[]; };
layout(binding = 3) readonly buffer WideValues { uvec4 wideValues[]; };
layout(binding = 4) writeonly buffer Out { float result[]; };
layout(binding = 5) buffer Scores { float scores[]; }; // [head][context]
layout(binding = 6) readonly buffer Sinks { float sinks[]; };
// [head][WB_SPLITS] of: largest score, sum of weights, mixed values; then a counter for each workgroup of heads.
layout(binding = 7) coherent buffer Parts { float parts[]; };
layout(binding = 9) writeonly buffer Codes { uint codes[]; };
layout(push_constant) uniform Push {
    uint firstHead;   // of queries of the step in a row
    uint group;       // heads that share one of keys
    uint valueLength; // a multiple of 8, as that of keys
    uint context;
    uint window; // positions that are looked back; 0: all
    float scale;
    float cap;
    uint maxSplits;
};

const float least = -3.0e38;
const uint EIGHT = 8; // numbers at once
const uint QUERY_FOURS = KEY_LENGTH / 4;

shared vec4 query[HEADS * KEY_LENGTH / 4];
shared float folded[HEADS * WB_LANES];
shared vec4 mixedParts[2 * WB_LANES];
shared float finished[CODES ? WB_MAX_HEAD_LENGTH : 1]; // of one head

float codedNumber(uint index) { return finished[index]; }

void putCode(uint at, uint word) { codes[at] = word; }

// Of a head in `finished`.
void encodeHead(uint head) {
    uint records = valueLength / WB_RECORD_COLUMNS;
    barrier();
    encodeRecords(records, head * records * WB_RECORD_WORDS);
}

struct Numbers {
    vec4 low, high;
};

Numbers halves(uvec4 words) {
    return Numbers(vec4(unpackHalf2x16(words.x), unpackHalf2x16(words.y)), vec4(unpackHalf2x16(words.z), unpackHalf2x16(words.w)));
}

vec4 codesOf(uint word) {
    int code = int(word);
    return vec4(code << 24 >> 24, code << 16 >> 24, code << 8 >> 24, code >> 24);
}

// Eight numbers from element `first` of a position on.
Numbers keysAt(uint position, uint first) {
    uint at = position * positionWords(KEYS, KEY_LENGTH);
    if (KEYS == WB_CACHE_F32)
        return Numbers(uintBitsToFloat(wideKeys[(at + first) / 4]), uintBitsToFloat(wideKeys[(at + first) / 4 + 1]));
    if (KEYS == WB_CACHE_F16) return halves(wideKeys[(at + first / 2) / 4]);
    float step = unpackHalf2x16(keys[at + codeWords(KEY_LENGTH) + first / WB_CACHE_GROUP]).x;
    return Numbers(step * codesOf(keys[at + first / 4]), step * codesOf(keys[at + first / 4 + 1]));
}

Numbers valuesAt(uint position, uint first) {
    uint at = position * positionWords(VALUES, valueLength);
    if (VALUES == WB_CACHE_F32)
        return Numbers(uintBitsToFloat(wideValues[(at + first) / 4]), uintBitsToFloat(wideValues[(at + first) / 4 + 1]));
    if (VALUES == WB_CACHE_F16) return halves(wideValues[(at + first / 2) / 4]);
    float step = unpackHalf2x16(values[at + codeWords(valueLength) + first / WB_CACHE_GROUP]).x;
    return Numbers(step * codesOf(values[at + first / 4]), step * codesOf(values[at + first / 4 + 1]));
}

// What all lanes have of each head, together: the largest number, or the sum.
void fold(inout float own[HEADS], bool largest) {
    uint lane = gl_LocalInvocationID.x;
    barrier();
    [[unroll]] for (uint h = 0; h < HEADS; ++h) folded[h * WB_LANES + lane] = own[h];
    for (uint step = WB_LANES / 2; step > 0; step /= 2) {
        barrier();
        if (lane < step)
            [[unroll]] for (uint h = 0; h < HEADS; ++h) {
                uint at = h * WB_LANES + lane;
                folded[at] = largest ? max(folded[at], folded[at + step]) : folded[at] + folded[at + step];
            }
    }
    barrier();
    [[unroll]] for (uint h = 0; h < HEADS; ++h) own[h] = folded[h * WB_LANES];
}

// Of the heads of this workgroup, from `first` of the step on: the weights of positions `begin` … `end` and what they mix, of a split.
void attendTo(uint keyHead, uint first, uint begin, uint end, uint split, bool isOnly) {
    uint lane = gl_LocalInvocationID.x, base = keyHead * context;
    for (uint i = lane; i < HEADS * QUERY_FOURS; i += WB_LANES) query[i] = queries[(firstHead + first) * QUERY_FOURS + i];
    barrier();
    float best[HEADS], sum[HEADS];
    [[unroll]] for (uint h = 0; h < HEADS; ++h) best[h] = least, sum[h] = 0.0;
    for (uint p = begin + lane; p < end; p += WB_LANES) {
        float score[HEADS];
        [[unroll]] for (uint h = 0; h < HEADS; ++h) score[h] = 0.0;
        for (uint d = 0; d < KEY_LENGTH; d += EIGHT) {
            Numbers key = keysAt(base + p, d);
            [[unroll]] for (uint h = 0; h < HEADS; ++h) {
                uint at = h * QUERY_FOURS + d / 4;
                score[h] += dot(query[at], key.low) + dot(query[at + 1], key.high);
            }
        }
        [[unroll]] for (uint h = 0; h < HEADS; ++h) {
            float value = score[h] * scale;
            if (CAPS) value = cap * tanh(value / cap);
            scores[(first + h) * context + p] = value;
            best[h] = max(best[h], value);
        }
    }
    fold(best, true);
    if (SINKS && split == 0)
        [[unroll]] for (uint h = 0; h < HEADS; ++h) best[h] = max(best[h], sinks[firstHead + first + h]);

    // Values: eight elements of some positions a lane.
    uint columns = valueLength / EIGHT, slices = WB_LANES / columns, slice = lane / columns, element = lane % columns * EIGHT;
    Numbers mixed[HEADS];
    [[unroll]] for (uint h = 0; h < HEADS; ++h) mixed[h] = Numbers(vec4(0.0), vec4(0.0));
    for (uint tile = begin; tile < end; tile += WB_LANES) {
        barrier();
        [[unroll]] for (uint h = 0; h < HEADS; ++h) {
            float weight = tile + lane < end ? exp(scores[(first + h) * context + tile + lane] - best[h]) : 0.0;
            folded[h * WB_LANES + lane] = weight;
            sum[h] += weight;
        }
        barrier();
        uint count = slice < slices ? min(end - tile, WB_LANES) : 0;
        for (uint p = slice; p < count; p += slices) {
            Numbers value = valuesAt(base + tile + p, element);
            [[unroll]] for (uint h = 0; h < HEADS; ++h) {
                float weight = folded[h * WB_LANES + p];
                mixed[h].low += weight * value.low;
                mixed[h].high += weight * value.high;
            }
        }
    }
    fold(sum, false);
    if (SINKS && split == 0)
        [[unroll]] for (uint h = 0; h < HEADS; ++h) sum[h] += exp(sinks[firstHead + first + h] - best[h]);

    uint stride = valueLength + 2;
    [[unroll]] for (uint h = 0; h < HEADS; ++h) {
        uint part = ((first + h) * WB_SPLITS + split) * stride;
        barrier();
        mixedParts[2 * lane] = mixed[h].low;
        mixedParts[2 * lane + 1] = mixed[h].high;
        barrier();
        // The sum of all slices: four elements a lane.
        for (uint four = lane; four < 2 * columns; four += WB_LANES) {
            vec4 all = vec4(0.0);
            for (uint s = 0; s < slices; ++s) all += mixedParts[s * 2 * columns + four];
            uint to = isOnly ? (firstHead + first + h) * valueLength : part + 2;
            if (isOnly) all /= sum[h];
            [[unroll]] for (uint i = 0; i < 4; ++i) {
                if (isOnly) result[to + four * 4 + i] = all[i];
                else parts[to + four * 4 + i] = all[i];
                if (CODES && isOnly) finished[four * 4 + i] = all[i];
            }
        }
        if (CODES && isOnly) encodeHead(firstHead + first + h);
        if (!isOnly && lane == 0) parts[part] = best[h], parts[part + 1] = sum[h];
    }
}

// The splits' mixtures, each weighted by how much its largest score is below the largest of all.
void mixParts(uint first, uint splits) {
    uint stride = valueLength + 2, lane = gl_LocalInvocationID.x;
    for (uint h = 0; h < HEADS; ++h) {
        uint part = (first + h) * WB_SPLITS * stride;
        float best = least, sum = 0.0;
        for (uint s = 0; s < splits; ++s) best = max(best, parts[part + s * stride]);
        barrier();
        for (uint s = lane; s < splits; s += WB_LANES) folded[s] = exp(parts[part + s * stride] - best);
        barrier();
        for (uint s = 0; s < splits; ++s) sum += folded[s] * parts[part + s * stride + 1];
        for (uint e = lane; e < valueLength; e += WB_LANES) {
            float mixed = 0.0;
            for (uint s = 0; s < splits; ++s) mixed += folded[s] * parts[part + s * stride + 2 + e];
            mixed /= sum;
            result[(firstHead + first + h) * valueLength + e] = mixed;
            if (CODES) finished[e] = mixed;
        }
        if (CODES) encodeHead(firstHead + first + h);
    }
}

void main() {
    uint first = gl_WorkGroupID.x * HEADS, split = gl_WorkGroupID.y;
    uint last = batch[WB_BATCH_POSITION];
    uint seen = window > 0 && last + 1 > window ? last + 1 - window : 0;
    if (CHUNKED) seen = last / window * window;
    uint count = last + 1 - seen, tiles = (count + WB_LANES - 1) / WB_LANES;
    uint each = max((tiles + maxSplits - 1) / maxSplits, WB_SPLIT_TILES) * WB_LANES; // positions
    uint splits = (count + each - 1) / each;
    if (split >= splits) return;
    uint begin = seen + split * each;
    attendTo(first / group, first, begin, min(begin + each, last + 1), split, splits == 1);
    if (splits > 1 && isLastOf(gl_WorkGroupID.x, splits)) mixParts(first, splits);
}
