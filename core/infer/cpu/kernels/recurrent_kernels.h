// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

// The kernels of recurrent layers, as two tables of functions like those of kernels.h: the readable form, and the best form of this
// machine, which gives the same bits. Every function is thread-safe and allocates nothing. The engine checks all sizes.
namespace wb::infer::cpu {

// The causal convolution of `channels` channels over the tokens of a batch, in place:
// rows[t][c] = Σ_j kernel[c][j] * (rows[c] of the token width - 1 - j tokens before t) + bias[c].
struct ConvTask {
    float* rows; // rows[t * stride + c]
    std::size_t stride, tokens, channels;
    const float* kernel; // [channels][width]
    std::size_t width;   // 1 … ConvOp::maxWidth
    const float* bias;   // [channels]; null: none
    float* history;      // history[j * historyStride + c]: the last width - 1 inputs, the oldest first; is brought up to date
    std::size_t historyStride;
};

// One token and some rows of the state of one head of the delta rule:
//   S *= decay, or each column by its own; S += rate * (values - S key) keyᵀ; out = S query
struct DeltaTask {
    float* state; // [rows][columns]
    std::size_t rows, columns;
    const float *query, *key; // [columns]
    const float* values;      // [rows]
    float decay, rate;
    float* out;          // [rows]
    const float* decays; // [columns], instead of `decay`; null: none
};

// One token and some rows of the state of one head of the state-space recurrence:
//   S = decay * S + rate * values inputᵀ; out = S output + skip * values
struct StateSpaceTask {
    float* state; // [rows][columns]
    std::size_t rows, columns;
    const float *input, *output; // [columns]
    const float* values;         // [rows]
    float decay, rate, skip;
    float* out; // [rows]
};

struct RecurrentKernels {
    void (*convolve)(const ConvTask& task);
    void (*applyDelta)(const DeltaTask& task);
    void (*applyStateSpace)(const StateSpaceTask& task);

    // steps = e^(rate * ln(1 + e^(steps + bias))): what the columns of a state are multiplied by.
    void (*decayColumns)(float* steps, const float* bias, float rate, std::size_t count);

    // out = x * scale / sqrt(Σ x² + epsilon).
    void (*toLength)(const float* x, std::size_t count, float epsilon, float scale, float* out);

    // values *= 1 / (1 + e^-gate), or gate / (1 + e^-gate).
    void (*gateSigmoid)(float* values, const float* gates, std::size_t count);
    void (*gateSilu)(float* values, const float* gates, std::size_t count);
};

RecurrentKernels scalarRecurrentKernels();
RecurrentKernels simdRecurrentKernels();

// Products that applyDelta, applyStateSpace and toLength add side by side: product i goes to sum i % deltaLanes, and the upper half
// of the sums is added to the lower one until one is left.
inline constexpr std::size_t deltaLanes = 16;

} // namespace wb::infer::cpu
