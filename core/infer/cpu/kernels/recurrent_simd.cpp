// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/recurrent_kernels.h"
#include "core/infer/cpu/kernels/unroll.h"
#include "core/infer/graph/operations.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/infer/cpu/kernels/recurrent_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/infer/cpu/kernels/exact-inl.h"

#include <array>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {
namespace {

constexpr std::size_t vectors = deltaLanes / lanes; // for the sums

HWY_INLINE float mulAdd(float a, float b, float sum) {
    const hn::CappedTag<float, 1> one;
    return hn::GetLane(hn::MulAdd(hn::Set(one, a), hn::Set(one, b), hn::Set(one, sum)));
}

// The upper half of a vector is added to the lower one until one number is left.
template <class D, class V>
HWY_INLINE float foldVector([[maybe_unused]] D d, V sums) {
#if HWY_TARGET != HWY_SCALAR // which has no halves
    if constexpr (hn::MaxLanes(D()) > 1) {
        const hn::Half<D> half;
        return foldVector(half, hn::Add(hn::LowerHalf(half, sums), hn::UpperHalf(half, sums)));
    }
#endif
    return hn::GetLane(sums);
}

// The total of sums of products, number i of the row in sum i % deltaLanes: the upper half is added to the lower one until one is
// left. `term(i)` gives the factors of the last numbers, which fill no vector.
template <class Term>
HWY_INLINE float fold(VF* sums, std::size_t first, std::size_t count, Term term) {
    if (first < count) {
        std::array<float, deltaLanes> numbers;
        WB_UNROLL for (std::size_t v = 0; v < vectors; ++v) { hn::StoreU(sums[v], Floats(), numbers.data() + v * lanes); }
        for (std::size_t i = first; i < count; ++i) {
            const auto [a, b] = term(i);
            numbers[i - first] = mulAdd(a, b, numbers[i - first]);
        }
        WB_UNROLL for (std::size_t v = 0; v < vectors; ++v) { sums[v] = hn::LoadU(Floats(), numbers.data() + v * lanes); }
    }
    WB_UNROLL for (std::size_t step = vectors / 2; step > 0; step /= 2) {
        WB_UNROLL for (std::size_t v = 0; v < step; ++v) { sums[v] = hn::Add(sums[v], sums[v + step]); }
    }
    return foldVector(Floats(), sums[0]);
}

HWY_INLINE float dot(const float* a, const float* b, std::size_t count) {
    VF sums[vectors];
    WB_UNROLL for (std::size_t v = 0; v < vectors; ++v) { sums[v] = hn::Zero(Floats()); }
    std::size_t i = 0;
    for (; i + deltaLanes <= count; i += deltaLanes) WB_UNROLL for (std::size_t v = 0; v < vectors; ++v) {
            sums[v] = hn::MulAdd(hn::LoadU(Floats(), a + i + v * lanes), hn::LoadU(Floats(), b + i + v * lanes), sums[v]);
        }
    return fold(sums, i, count, [&](std::size_t at) { return std::pair(a[at], b[at]); });
}

// ---- convolution

// Some channels side by side: their taps and the inputs of earlier tokens stay in registers.
template <class D>
HWY_INLINE void convolveChannels(const ConvTask& task, std::size_t c, D d) {
    using V = hn::Vec<D>;
    V taps[ConvOp::maxWidth], inputs[ConvOp::maxWidth];
    const std::size_t last = task.width - 1;
    float column[hn::MaxLanes(D())];
    for (std::size_t j = 0; j < task.width; ++j) {
        for (std::size_t lane = 0; lane < hn::MaxLanes(D()); ++lane) column[lane] = task.kernel[(c + lane) * task.width + j];
        taps[j] = hn::LoadU(d, column);
        if (j < last) inputs[j] = hn::LoadU(d, task.history + j * task.historyStride + c);
    }
    const V bias = task.bias ? hn::LoadU(d, task.bias + c) : hn::Zero(d);
    for (std::size_t t = 0; t < task.tokens; ++t) {
        float* const x = task.rows + t * task.stride + c;
        inputs[last] = hn::LoadU(d, x);
        V sum = bias;
        for (std::size_t j = 0; j < task.width; ++j) sum = hn::MulAdd(taps[j], inputs[j], sum);
        hn::StoreU(sum, d, x);
        for (std::size_t j = 0; j < last; ++j) inputs[j] = inputs[j + 1];
    }
    for (std::size_t j = 0; j < last; ++j) hn::StoreU(inputs[j], d, task.history + j * task.historyStride + c);
}

void convolve(const ConvTask& task) {
    forVectors(task.channels, [&](std::size_t c, auto d) HWY_ATTR { convolveChannels(task, c, d); });
}

// ---- delta rule

template <bool ofColumns>
HWY_INLINE void applyDeltaRow(const DeltaTask& task, float* row, float value, float* out) {
    const std::size_t whole = task.columns / deltaLanes * deltaLanes;
    VF decay = hn::Set(Floats(), task.decay);
    VF sums[vectors];
    WB_UNROLL for (std::size_t v = 0; v < vectors; ++v) { sums[v] = hn::Zero(Floats()); }
    for (std::size_t i = 0; i < whole; i += deltaLanes) WB_UNROLL for (std::size_t v = 0; v < vectors; ++v) {
            if constexpr (ofColumns) decay = hn::LoadU(Floats(), task.decays + i + v * lanes);
            const VF kept = hn::Mul(hn::LoadU(Floats(), row + i + v * lanes), decay);
            sums[v] = hn::MulAdd(kept, hn::LoadU(Floats(), task.key + i + v * lanes), sums[v]);
        }
    for (std::size_t i = whole; i < task.columns; ++i) row[i] *= ofColumns ? task.decays[i] : task.decay;
    const auto recalled = [&](std::size_t i) { return std::pair(row[i], task.key[i]); };
    const float change = task.rate * (value - fold(sums, whole, task.columns, recalled));
    const VF changes = hn::Set(Floats(), change);
    WB_UNROLL for (std::size_t v = 0; v < vectors; ++v) { sums[v] = hn::Zero(Floats()); }
    for (std::size_t i = 0; i < whole; i += deltaLanes) WB_UNROLL for (std::size_t v = 0; v < vectors; ++v) {
            const std::size_t at = i + v * lanes;
            if constexpr (ofColumns) decay = hn::LoadU(Floats(), task.decays + at);
            const VF kept = hn::Mul(hn::LoadU(Floats(), row + at), decay); // again, instead of a store and a load
            const VF next = hn::MulAdd(changes, hn::LoadU(Floats(), task.key + at), kept);
            hn::StoreU(next, Floats(), row + at);
            sums[v] = hn::MulAdd(next, hn::LoadU(Floats(), task.query + at), sums[v]);
        }
    for (std::size_t i = whole; i < task.columns; ++i) row[i] = mulAdd(change, task.key[i], row[i]);
    *out = fold(sums, whole, task.columns, [&](std::size_t i) { return std::pair(row[i], task.query[i]); });
}

void applyDelta(const DeltaTask& task) {
    for (std::size_t r = 0; r < task.rows; ++r) {
        float* const row = task.state + r * task.columns;
        if (task.decays) applyDeltaRow<true>(task, row, task.values[r], task.out + r);
        else applyDeltaRow<false>(task, row, task.values[r], task.out + r);
    }
}

// ---- state space

HWY_INLINE float applyStateSpaceRow(const StateSpaceTask& task, float* row, float change) {
    const std::size_t whole = task.columns / deltaLanes * deltaLanes;
    const VF decay = hn::Set(Floats(), task.decay), changes = hn::Set(Floats(), change);
    VF sums[vectors];
    WB_UNROLL for (std::size_t v = 0; v < vectors; ++v) { sums[v] = hn::Zero(Floats()); }
    for (std::size_t i = 0; i < whole; i += deltaLanes) WB_UNROLL for (std::size_t v = 0; v < vectors; ++v) {
            const std::size_t at = i + v * lanes;
            const VF kept = hn::Mul(hn::LoadU(Floats(), row + at), decay);
            const VF next = hn::MulAdd(changes, hn::LoadU(Floats(), task.input + at), kept);
            hn::StoreU(next, Floats(), row + at);
            sums[v] = hn::MulAdd(next, hn::LoadU(Floats(), task.output + at), sums[v]);
        }
    for (std::size_t i = whole; i < task.columns; ++i) row[i] = mulAdd(change, task.input[i], row[i] * task.decay);
    return fold(sums, whole, task.columns, [&](std::size_t i) { return std::pair(row[i], task.output[i]); });
}

void applyStateSpace(const StateSpaceTask& task) {
    for (std::size_t r = 0; r < task.rows; ++r) {
        const float value = task.values[r], sum = applyStateSpaceRow(task, task.state + r * task.columns, task.rate * value);
        task.out[r] = mulAdd(task.skip, value, sum);
    }
}

void decayColumns(float* steps, const float* bias, float rate, std::size_t count) {
    forVectors(count, [&](std::size_t i, auto d) HWY_ATTR {
        const auto step = softpluses(d, hn::Add(hn::LoadU(d, steps + i), hn::LoadU(d, bias + i)));
        const auto power = hn::Mul(hn::Set(d, rate), step);
        hn::StoreU(exponentials(d, hn::Min(hn::Max(power, hn::Set(d, minExponent)), hn::Set(d, maxExponent))), d, steps + i);
    });
}

void toLength(const float* x, std::size_t count, float epsilon, float scale, float* out) {
    const float factor = scale / std::sqrt(dot(x, x, count) + epsilon);
    forVectors(count,
               [&](std::size_t i, auto d) HWY_ATTR { hn::StoreU(hn::Mul(hn::LoadU(d, x + i), hn::Set(d, factor)), d, out + i); });
}

// ---- gates

void gateSigmoid(float* values, const float* gates, std::size_t count) {
    forVectors(count, [&](std::size_t i, auto d)
                          HWY_ATTR { hn::StoreU(gated(d, hn::LoadU(d, values + i), hn::LoadU(d, gates + i)), d, values + i); });
}

void gateSilu(float* values, const float* gates, std::size_t count) {
    forVectors(count, [&](std::size_t i, auto d) HWY_ATTR {
        const auto gate = hn::LoadU(d, gates + i);
        hn::StoreU(gated(d, hn::Mul(hn::LoadU(d, values + i), gate), gate), d, values + i);
    });
}

} // namespace

// Without vectors there is no fused multiply-add, which the readable form has.
RecurrentKernels recurrentForms() {
    if constexpr (HWY_TARGET == HWY_SCALAR) return {};
    else return {convolve, applyDelta, applyStateSpace, decayColumns, toLength, gateSigmoid, gateSilu};
}

} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::infer::cpu {

HWY_EXPORT(recurrentForms);

RecurrentKernels simdRecurrentKernels() {
    const RecurrentKernels forms = HWY_DYNAMIC_DISPATCH(recurrentForms)();
    return forms.convolve ? forms : scalarRecurrentKernels();
}

} // namespace wb::infer::cpu
#endif
