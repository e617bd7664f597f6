// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// The next token from the highest logits, as core/text/draw.h says; there are at most WB_MAX_RANKED, so one invocation is enough. Twin:
// Sampler::sample of core/text/sampler.h.
#include "infer/batch.h"
layout(local_size_x = 1) in;

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) readonly buffer Ranked { uvec2 ranked[]; }; // the bits of a logit and its id, best first
layout(binding = 2) writeonly buffer Drawn { uint drawn; };

float parameter(uint word) { return uintBitsToFloat(batch[word]); }

// Of the best one, at temperature 1.
float logitBelowBest(uint i) { return uintBitsToFloat(ranked[i].x) - uintBitsToFloat(ranked[0].x); }

// How many of the candidates stay.
uint keptOf(uint count) {
    float sum = 0.0;
    for (uint i = 0; i < count; ++i) sum += exp(logitBelowBest(i));
    uint kept = count;
    if (parameter(WB_BATCH_TOP_P) < 1.0) {
        float mass = 0.0;
        for (kept = 0; kept < count && (kept == 0 || mass < parameter(WB_BATCH_TOP_P)); ++kept) mass += exp(logitBelowBest(kept)) / sum;
    }
    if (parameter(WB_BATCH_MIN_P) > 0.0)
        while (kept > 1 && logitBelowBest(kept - 1) < log(parameter(WB_BATCH_MIN_P))) --kept;
    return kept;
}

void main() {
    uint count = 0;
    while (count < batch[WB_BATCH_CANDIDATES] && ranked[count].y != WB_NO_TOKEN) ++count;
    float temperature = parameter(WB_BATCH_TEMPERATURE);
    uint chosen = 0;
    if (temperature > 0.0 && count > 1) {
        uint kept = keptOf(count);
        float sum = 0.0;
        for (uint i = 0; i < kept; ++i) sum += exp(logitBelowBest(i) / temperature);
        float at = parameter(WB_BATCH_UNIT) * sum;
        for (chosen = 0; chosen + 1 < kept; ++chosen) {
            at -= exp(logitBelowBest(chosen) / temperature);
            if (at < 0.0) break;
        }
    }
    drawn = count > 0 ? ranked[chosen].y : 0;
}
