// SPDX-License-Identifier: MIT
// Groups side by side, one a SIMD lane, and what every fit needs of them. Included once per SIMD target.
#if defined(WB_QUANT_BATCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_QUANT_BATCH_INL_H
#undef WB_QUANT_BATCH_INL_H
#else
#define WB_QUANT_BATCH_INL_H
#endif

#include "core/quant/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {

constexpr std::size_t largestGroup = 32;
constexpr float emptyGroup = 1e-15f;

// Groups of up to 32 elements side by side: element i of all lanes together. `w` are their weights.
template <class F>
struct Batch {
    static constexpr std::size_t floats = largestGroup * Shape<F>::vectors * maxLanes;
    std::size_t size;
    HWY_ALIGN float x[floats];
    HWY_ALIGN float w[floats];

    static HWY_INLINE std::size_t at(std::size_t i) { return i * Shape<F>::vectors * Lanes(); }
    HWY_INLINE F X(std::size_t i) const { return LoadAt<F>(x + at(i)); }
    HWY_INLINE F W(std::size_t i) const { return LoadAt<F>(w + at(i)); }

    void load(const Groups<F>& groups, const float* values, float* to) {
        for (std::size_t i = 0; i < size; i += 4) {
            const std::array<F, 4> four = groups.loadFour(values, i);
            for (std::size_t k = 0; k < 4; ++k) StoreAt(four[k], to + at(i + k));
        }
    }
};

// Numbers next to a batch: the level of every element.
template <class F>
struct Levels {
    HWY_ALIGN float values[Batch<F>::floats];
    HWY_INLINE F get(std::size_t i) const { return LoadAt<F>(values + Batch<F>::at(i)); }
    HWY_INLINE void set(std::size_t i, F level) { StoreAt(level, values + Batch<F>::at(i)); }
};

// Σx² of each group, walked in order.
inline void SumSquares(const float* x, std::size_t group, std::size_t groups, float* sums) {
    ForBatches<V>(groups, [&](std::size_t first, std::size_t count) {
        const Groups<V> places(group, first, count);
        V sum = Number(0);
        for (std::size_t i = 0; i < group; i += 4)
            for (const V value : places.loadFour(x, i)) sum = hn::Add(sum, hn::Mul(value, value));
        StoreLanes(sum, count, sums + first);
    });
}

template <class F>
struct Largest {
    F value, magnitude;
};

template <class F>
HWY_INLINE Largest<F> LargestOf(const Batch<F>& b) {
    Largest<F> largest{Number<F>(0), Number<F>(0)};
    for (std::size_t i = 0; i < b.size; ++i) {
        const F x = b.X(i);
        const F a = Abs(x);
        const auto larger = Gt(a, largest.magnitude);
        largest.magnitude = IfThenElse(larger, a, largest.magnitude);
        largest.value = IfThenElse(larger, x, largest.value);
    }
    return largest;
}

template <class F>
struct Sums {
    F lx, l2;
};

// a / b where b is above 0, else 0.
template <class F>
HWY_INLINE F RatioAbove(F a, F b) {
    return IfThenElseZero(Gt(b, Number<F>(0)), Div(a, b));
}

template <class F>
HWY_INLINE void SetWeightedX(const Batch<F>& b, Levels<F>& wx) {
    for (std::size_t i = 0; i < b.size; ++i) wx.set(i, Mul(b.W(i), b.X(i)));
}

} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
