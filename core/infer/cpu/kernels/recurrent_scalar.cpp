// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/exact.h"
#include "core/infer/cpu/kernels/recurrent_kernels.h"
#include "core/infer/graph/operations.h"

#include <array>
#include <cmath>

// The readable form of every kernel, in the order of operations that the SIMD forms follow.
namespace wb::infer::cpu {
namespace {

float dot(const float* a, const float* b, std::size_t count) {
    std::array<float, deltaLanes> sums{};
    for (std::size_t i = 0; i < count; ++i) sums[i % deltaLanes] = fusedMultiplyAdd(a[i], b[i], sums[i % deltaLanes]);
    for (std::size_t step = deltaLanes / 2; step > 0; step /= 2)
        for (std::size_t i = 0; i < step; ++i) sums[i] += sums[i + step];
    return sums[0];
}

void convolve(const ConvTask& task) {
    std::array<float, ConvOp::maxWidth> inputs; // the oldest first
    const std::size_t last = task.width - 1;
    for (std::size_t c = 0; c < task.channels; ++c) {
        const float* const kernel = task.kernel + c * task.width;
        for (std::size_t j = 0; j < last; ++j) inputs[j] = task.history[j * task.historyStride + c];
        for (std::size_t t = 0; t < task.tokens; ++t) {
            float& x = task.rows[t * task.stride + c];
            inputs[last] = x;
            float sum = task.bias ? task.bias[c] : 0.0F;
            for (std::size_t j = 0; j < task.width; ++j) sum = fusedMultiplyAdd(kernel[j], inputs[j], sum);
            x = sum;
            for (std::size_t j = 0; j < last; ++j) inputs[j] = inputs[j + 1];
        }
        for (std::size_t j = 0; j < last; ++j) task.history[j * task.historyStride + c] = inputs[j];
    }
}

void applyDelta(const DeltaTask& task) {
    for (std::size_t r = 0; r < task.rows; ++r) {
        float* const row = task.state + r * task.columns;
        for (std::size_t i = 0; i < task.columns; ++i) row[i] *= task.decays ? task.decays[i] : task.decay;
        const float change = task.rate * (task.values[r] - dot(row, task.key, task.columns));
        for (std::size_t i = 0; i < task.columns; ++i) row[i] = fusedMultiplyAdd(change, task.key[i], row[i]);
        task.out[r] = dot(row, task.query, task.columns);
    }
}

void applyStateSpace(const StateSpaceTask& task) {
    for (std::size_t r = 0; r < task.rows; ++r) {
        float* const row = task.state + r * task.columns;
        const float change = task.rate * task.values[r];
        for (std::size_t i = 0; i < task.columns; ++i) row[i] = fusedMultiplyAdd(change, task.input[i], row[i] * task.decay);
        task.out[r] = fusedMultiplyAdd(task.skip, task.values[r], dot(row, task.output, task.columns));
    }
}

void decayColumns(float* steps, const float* bias, float rate, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) steps[i] = decayed(rate, softplus(steps[i] + bias[i]));
}

void toLength(const float* x, std::size_t count, float epsilon, float scale, float* out) {
    const float factor = scale / std::sqrt(dot(x, x, count) + epsilon);
    for (std::size_t i = 0; i < count; ++i) out[i] = x[i] * factor;
}

void gateSigmoid(float* values, const float* gates, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) values[i] = gated(values[i], gates[i]);
}

void gateSilu(float* values, const float* gates, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) values[i] = gated(values[i] * gates[i], gates[i]);
}

} // namespace

RecurrentKernels scalarRecurrentKernels() {
    return {convolve, applyDelta, applyStateSpace, decayColumns, toLength, gateSigmoid, gateSilu};
}

} // namespace wb::infer::cpu
