// SPDX-License-Identifier: MIT
// Norms of a run of numbers by one workgroup: number i goes to sum i % WB_LANES. Twins: rmsNorm and layerNorm of
// core/infer/cpu/kernels/rows_simd.cpp. The includer defines NORM (WB_NORM_…), rowAt() and what exact_steps.glsl needs.
#ifndef WB_INFER_NORM_GLSL
#define WB_INFER_NORM_GLSL
#include "infer/exact_steps.glsl"

float rowAt(uint at);

shared float sums[WB_LANES];

// The sum over all lanes, in each lane.
float folded(float own) {
    uint lane = gl_LocalInvocationID.x;
    sums[lane] = own;
    barrier();
    for (uint step = WB_LANES / 2; step > 0; step /= 2) {
        if (lane < step) sums[lane] += sums[lane + step];
        barrier();
    }
    float total = sums[0];
    barrier();
    return total;
}

struct Norming {
    float mean, factor;
};

Norming normingOf(uint first, uint count, float epsilon) {
    Norming norming = Norming(0.0, 1.0);
    if (NORM == WB_NORM_NONE) return norming;
    uint lane = gl_LocalInvocationID.x;
    if (NORM == WB_NORM_LAYER) {
        precise float sum = 0.0;
        for (uint i = lane; i < count; i += WB_LANES) sum += rowAt(first + i);
        norming.mean = exactDivide(folded(sum), float(count));
    }
    float squares = 0.0;
    for (uint i = lane; i < count; i += WB_LANES) {
        precise float value = rowAt(first + i) - norming.mean;
        squares = fused(value, value, squares);
    }
    precise float square = exactDivide(folded(squares), float(count)) + epsilon;
    norming.factor = exactDivide(1.0, exactSqrt(square));
    return norming;
}

float normed(float value, Norming norming, float weight, float bias) {
    if (NORM == WB_NORM_NONE) return value;
    precise float centered = NORM == WB_NORM_LAYER ? value - norming.mean : value;
    precise float scaled = centered * norming.factor;
    precise float weighted = scaled * weight;
    precise float shifted = weighted + bias;
    return NORM == WB_NORM_LAYER ? shifted : weighted;
}

#endif
