// SPDX-License-Identifier: MIT
// The small step after a product of one token: the last workgroup of those that multiply a unit of rows (all rows, a head, the rows
// of a record) does it, in the order of prepare.comp, norm.comp and rotate.comp, whose bits come out. Only what multiply.glsl has
// when FOLLOWED is defined.
#ifndef WB_INFER_FOLLOW_UP_GLSL
#define WB_INFER_FOLLOW_UP_GLSL
layout(constant_id = 10) const uint FOLLOW_UP = WB_FOLLOW_NONE;
layout(constant_id = 11) const uint NORM = WB_NORM_NONE;
layout(constant_id = 12) const bool WEIGHTED = true;
layout(constant_id = 13) const bool BIASED = false;
layout(constant_id = 14) const bool FLOATS = false; // of WB_FOLLOW_INPUT
layout(constant_id = 15) const bool CODES = false;
layout(constant_id = 16) const bool STORES = false; // of WB_FOLLOW_HEAD: into the cache
layout(constant_id = 17) const bool HALVES = false;
layout(constant_id = 18) const uint CACHE = WB_CACHE_F32; // F32 for other rows
layout(constant_id = 19) const bool ADDS = false; // all rows are normed and added to x, of which the input is made then
#include "infer/arrival.glsl"
#include "infer/codes.glsl"
#include "infer/norm.glsl"
#include "infer/rotate.glsl"

layout(binding = 7) readonly buffer Weight { float weight[]; }; // of the norm
layout(binding = 9) writeonly buffer Followed { uint followed[]; };
layout(binding = 10) writeonly buffer Floats { float floats[]; };
layout(binding = 11) readonly buffer Bias { float bias[]; };
layout(binding = 12) readonly buffer Angles { float angles[]; };
layout(binding = 13) coherent buffer Sum { float sum_[]; }; // x
layout(binding = 14) readonly buffer AddedWeight { float addedWeight[]; }; // of the norm of the added rows

uint unitBegin; // row of the result
Norming unitNorming;
bool isOfSum = false; // rows are those of x

float rowAt(uint at) { return isOfSum ? sum_[at] : result[at]; }

float codedNumber(uint index) {
    float value = rowAt(unitBegin + index);
    if (NORM == WB_NORM_NONE) return value;
    return normed(value, unitNorming, WEIGHTED ? weight[index] : 1.0, BIASED ? bias[index] : 0.0);
}

float headNumber(uint element) { return codedNumber(element); }

float angleAt(uint index) { return angles[index]; }

void putCode(uint at, uint word) { followed[at] = word; }

void putWord(uint at, uint word) { followed[at] = word; }

// As norm.comp.
void addToSum() {
    Norming norming = normingOf(0, unit, addedEpsilon);
    for (uint i = gl_LocalInvocationID.x; i < unit; i += WB_LANES)
        sum_[i] = fused(addedScale, normed(result[i], norming, addedWeight[i], 0.0), sum_[i]);
    memoryBarrierBuffer();
    barrier();
    isOfSum = true;
}

void followUp() {
    if (FOLLOW_UP == WB_FOLLOW_NONE) return;
    uint own = gl_WorkGroupID.x / unitGroups;
    if (!isLastOf(own, unitGroups)) return;
    unitBegin = own * unit;
    if (ADDS) {
        addToSum();
        if (!FLOATS && !CODES) return;
    }
    unitNorming = normingOf(unitBegin, unit, epsilon);
    if (FOLLOW_UP == WB_FOLLOW_HEAD) {
        uint to = STORES ? (own * context + batch[WB_BATCH_POSITION]) * positionWords(CACHE, unit) : unitBegin;
        for (uint part = gl_LocalInvocationID.x; part < headParts(unit); part += WB_LANES)
            putPart(Turn(0, pairs), part, unit, to, 1.0);
        return;
    }
    if (FLOATS)
        for (uint i = gl_LocalInvocationID.x; i < unit; i += WB_LANES) floats[unitBegin + i] = codedNumber(i);
    uint records = unit / WB_RECORD_COLUMNS;
    if (CODES) encodeRecords(records, own * records * WB_RECORD_WORDS);
}

#endif
