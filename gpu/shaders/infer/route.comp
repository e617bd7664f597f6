// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// The experts of one token, a workgroup, and their weights; the gate of the shared expert. Twin: core/infer/cpu/routing.h; sums have
// another order.
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const uint GATING = WB_GATING_SOFTMAX;
layout(constant_id = 1) const bool NORMALIZES = true;
layout(constant_id = 2) const bool BIASED = false;  // the selection
layout(constant_id = 3) const bool SHARED = false;  // there is a gate of the shared expert
layout(constant_id = 4) const bool SCHEDULES = true; // a batch of one token: its schedule too
layout(constant_id = 5) const bool FUSES = true;
layout(constant_id = 6) const bool SCALED = false; // each expert has a scale
layout(constant_id = 7) const bool GROUPED = false; // experts are chosen from some groups
#include "infer/exact_steps.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) readonly buffer Logits { float logits[]; }; // [token][experts]
layout(binding = 2) readonly buffer Bias { float bias[]; };     // [experts]
layout(binding = 3) readonly buffer Gate { float gate[]; };     // [width]
layout(binding = 4) readonly buffer Rows { float rows[]; };     // [token][width], normed
layout(binding = 5) writeonly buffer Chosen { uint chosen[]; }; // [token][used]
layout(binding = 6) writeonly buffer Weights { float weights[]; };
layout(binding = 7) writeonly buffer Gates { float gates[]; }; // [token]
layout(binding = 8) writeonly buffer Schedule { uint schedule[]; };
layout(binding = 9) readonly buffer Scales { float scales[]; }; // [experts]
layout(push_constant) uniform Push {
    uint experts, used, width;
    float scale;
    uint groups, groupsUsed;
};

const float least = -3.0e38;

shared float probabilities[WB_MAX_EXPERTS];
shared float scores[WB_MAX_EXPERTS]; // `least` where an expert was chosen
shared float picked[WB_MAX_USED];    // the weights of the chosen ones
shared float factors[WB_MAX_USED];   // their scales
shared float numbers[WB_LANES];
shared uint places[WB_LANES];
shared float groupScores[WB_MAX_EXPERTS];

float sigmoid(float x) { return exactDivide(1.0, 1.0 + exponential(clamp(-x, -87.0, 88.0))); }

float folded(float own) {
    uint lane = gl_LocalInvocationID.x;
    numbers[lane] = own;
    barrier();
    for (uint step = WB_LANES / 2; step > 0; step /= 2) {
        if (lane < step) numbers[lane] += numbers[lane + step];
        barrier();
    }
    float total = numbers[0];
    barrier();
    return total;
}

// The larger one of two experts' scores, of equal ones that of the first expert.
void keepBetter(uint lane, uint other) {
    bool better = numbers[other] > numbers[lane] || (numbers[other] == numbers[lane] && places[other] < places[lane]);
    if (!better) return;
    numbers[lane] = numbers[other];
    places[lane] = places[other];
}

uint bestExpert() {
    uint lane = gl_LocalInvocationID.x;
    numbers[lane] = least;
    places[lane] = lane < experts ? lane : 0;
    for (uint e = lane; e < experts; e += WB_LANES)
        if (scores[e] > numbers[lane]) {
            numbers[lane] = scores[e];
            places[lane] = e;
        }
    barrier();
    for (uint step = WB_LANES / 2; step > 0; step /= 2) {
        if (lane < step) keepBetter(lane, lane + step);
        barrier();
    }
    uint best = places[0];
    barrier();
    return best;
}

// Softmax of `count` numbers of probabilities[].
void softmax(uint count) {
    uint lane = gl_LocalInvocationID.x;
    float highest = least;
    for (uint e = lane; e < count; e += WB_LANES) highest = max(highest, probabilities[e]);
    numbers[lane] = highest;
    barrier();
    for (uint step = WB_LANES / 2; step > 0; step /= 2) {
        if (lane < step) numbers[lane] = max(numbers[lane], numbers[lane + step]);
        barrier();
    }
    highest = numbers[0];
    barrier();
    float sum = 0.0;
    for (uint e = lane; e < count; e += WB_LANES) {
        float less = probabilities[e] - highest;
        probabilities[e] = less > -87.0 ? exponential(less) : 0.0;
        sum += probabilities[e];
    }
    sum = folded(sum);
    for (uint e = lane; e < count; e += WB_LANES) probabilities[e] = exactDivide(probabilities[e], sum);
    barrier();
}

// Only the groups whose two best experts have the largest sums keep their scores; of equal ones the first.
void keepBestGroups() {
    uint each = experts / groups;
    for (uint g = gl_LocalInvocationID.x; g < groups; g += WB_LANES) {
        float best = least, second = least;
        for (uint e = g * each; e < (g + 1) * each; ++e) {
            second = max(second, min(best, scores[e]));
            best = max(best, scores[e]);
        }
        precise float both = best + second;
        groupScores[g] = each > 1 ? both : best;
    }
    barrier();
    for (uint g = gl_LocalInvocationID.x; g < groups; g += WB_LANES) {
        uint before = 0;
        for (uint other = 0; other < groups; ++other)
            before += uint(groupScores[other] > groupScores[g] || (groupScores[other] == groupScores[g] && other < g));
        if (before < groupsUsed) continue;
        for (uint e = g * each; e < (g + 1) * each; ++e) scores[e] = least;
    }
    barrier();
}

void gateShared(uint token) {
    float sum = 0.0;
    for (uint i = gl_LocalInvocationID.x; i < width; i += WB_LANES) sum = fused(gate[i], rows[token * width + i], sum);
    sum = folded(sum);
    if (gl_LocalInvocationID.x == 0) gates[token] = sigmoid(sum);
}

void main() {
    uint token = gl_WorkGroupID.x, lane = gl_LocalInvocationID.x;
    if (token >= batch[WB_BATCH_TOKENS]) return;
    if (SHARED) gateShared(token);
    for (uint e = lane; e < experts; e += WB_LANES) {
        float logit = logits[token * experts + e];
        probabilities[e] = GATING == WB_GATING_SIGMOID ? sigmoid(logit) : logit;
    }
    barrier();
    if (GATING == WB_GATING_SOFTMAX) softmax(experts);
    for (uint e = lane; e < experts; e += WB_LANES) scores[e] = probabilities[e] + (BIASED ? bias[e] : 0.0);
    barrier();
    if (GROUPED) keepBestGroups();
    for (uint s = 0; s < used; ++s) {
        uint best = bestExpert();
        if (lane == 0) {
            chosen[token * used + s] = best;
            picked[s] = probabilities[best];
            factors[s] = SCALED ? scales[best] : 1.0;
            scores[best] = least;
            if (SCHEDULES) {
                schedule[1 + 2 * s] = best;
                schedule[2 + 2 * s] = s;
            }
        }
        barrier();
    }
    if (SCHEDULES && lane == 0) schedule[0] = used;
    if (GATING == WB_GATING_SOFTMAX_OF_CHOSEN) {
        for (uint s = lane; s < used; s += WB_LANES) probabilities[s] = picked[s];
        barrier();
        softmax(used);
        for (uint s = lane; s < used; s += WB_LANES) picked[s] = probabilities[s];
        barrier();
    }
    float sum = 1.0;
    if (NORMALIZES) {
        sum = 0.0;
        for (uint s = 0; s < used; ++s) sum += picked[s];
        sum = max(sum, 6.103515625e-5);
    }
    for (uint s = lane; s < used; s += WB_LANES) weights[token * used + s] = exactDivide(picked[s], sum) * scale * factors[s];
}
