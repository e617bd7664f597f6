// SPDX-License-Identifier: MIT
// Sums by 16 neighboring invocations: product i of a row goes to sum i % 16, then the upper half of the sums is added to the lower
// one until one is left. Twin: dot() of core/infer/cpu/kernels/recurrent_scalar.cpp.
#ifndef WB_INFER_LANES16_GLSL
#define WB_INFER_LANES16_GLSL
#include "infer/batch.h"

const uint lanes16 = 16;

shared float recalled[WB_LANES]; // of two sums, so that the second one is written while the first is read
shared float answered[WB_LANES];

#define WB_FOLD16(sums, first)                                                                                                    \
    precise float fold0 = ((sums[first] + sums[first + 8]) + (sums[first + 4] + sums[first + 12])) +                              \
                          ((sums[first + 2] + sums[first + 10]) + (sums[first + 6] + sums[first + 14]));                          \
    precise float fold1 = ((sums[first + 1] + sums[first + 9]) + (sums[first + 5] + sums[first + 13])) +                          \
                          ((sums[first + 3] + sums[first + 11]) + (sums[first + 7] + sums[first + 15]));                          \
    precise float fold = fold0 + fold1;

// The sum of the invocation's 16, of which it has one part. All invocations of the workgroup call it.
float foldRecalled(float own) {
    uint at = gl_LocalInvocationID.x, first = at / lanes16 * lanes16;
    recalled[at] = own;
    barrier();
    WB_FOLD16(recalled, first)
    return fold;
}

float foldAnswered(float own) {
    uint at = gl_LocalInvocationID.x, first = at / lanes16 * lanes16;
    answered[at] = own;
    barrier();
    WB_FOLD16(answered, first)
    return fold;
}

#endif
