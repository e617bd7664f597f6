// SPDX-License-Identifier: MIT
// fitSymmetric and fitBySweeps of fit.h for many groups at once: one group a SIMD lane, each lane in the reference's own order of
// operations, so that every scale and code equals the scalar form's bit for bit (docs/reference/gguf.md, "SIMD and GPU forms").
// Included once per SIMD target.
#if defined(WB_QUANT_FIT_SYMMETRIC_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_QUANT_FIT_SYMMETRIC_INL_H
#undef WB_QUANT_FIT_SYMMETRIC_INL_H
#else
#define WB_QUANT_FIT_SYMMETRIC_INL_H
#endif

#include "core/quant/kernels/batch-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {

// Σ w·x·l and Σ w·l·l; `wx` holds w·x. Only groups that are not empty count, and in those |inverse · x| stays near n, so that the
// short rounding is exact.
template <bool clampLow = true, bool clampHigh = true, class F>
HWY_INLINE Sums<F> SymmetricSums(const Batch<F>& b, const Levels<F>& wx, int n, F inverse) {
    Sums<F> sums{Number<F>(0), Number<F>(0)};
    for (std::size_t i = 0; i < b.size; ++i) {
        const F l = LevelInRange<clampLow, clampHigh>(Mul(inverse, b.X(i)), -n, n - 1);
        sums.lx = Add(sums.lx, Mul(wx.get(i), l));
        sums.l2 = Add(sums.l2, Mul(Mul(b.W(i), l), l));
    }
    return sums;
}

template <class F>
struct SymmetricFit {
    F scale, inverse;
    MaskOf<F> empty;
};

// The divisors of fitSymmetric: -(n + 0.1·t) with n of 4 or 32 and t from -9 to 9. The product with the
// rounded reciprocal, corrected by the remainder of the numerator, is the rounded quotient (Markstein, IBM J. Res. Dev. 34(1),
// 1990), which tests/unit/quant/divisor_test.cpp shows for every divisor. The divider is then left to the scales.
template <class F>
class Divisor {
public:
    // `counts` are the lanes that matter; in them the magnitude of the divisor is above 2^-100.
    HWY_INLINE Divisor(F divisor, MaskOf<F> counts) : m_divisor(divisor), m_reciprocal(Div(Number<F>(1), divisor)) {
        m_isLarge = !HWY_NATIVE_FMA || AnyTrue(And(counts, Gt(Abs(divisor), Number<F>(0x1p100f))));
    }

    HWY_INLINE F quotient(float numerator) const {
        const F n = Number<F>(numerator);
        if (m_isLarge) return Div(n, m_divisor);
        const F rough = Mul(n, m_reciprocal);
        return MulAdd(NegMulAdd(rough, m_divisor, n), m_reciprocal, rough);
    }

private:
    F m_divisor, m_reciprocal;
    bool m_isLarge;
};

// The candidates of fitSymmetric from `from` to `to` but 0, the start. |inverse · x| is at most n + 0.1·t, so that sides that no
// level can leave need no clamp: with t below 5 none lies below -n, with t below -5 none above n - 1.
template <bool clampLow, bool clampHigh, class F>
HWY_INLINE void TrySymmetric(const Batch<F>& b, const Levels<F>& wx, int n, int from, int to, const Divisor<F>& largest,
                             SymmetricFit<F>& r, F& best) {
    for (int t = from; t <= to; ++t) {
        if (t == 0) continue;
        const float numerator = -(static_cast<float>(n) + 0.1f * static_cast<float>(t));
        const F inverse = largest.quotient(numerator);
        const Sums<F> s = SymmetricSums<clampLow, clampHigh>(b, wx, n, inverse);
        const auto better = And(Gt(s.l2, Number<F>(0)), Gt(Mul(s.lx, s.lx), Mul(best, s.l2)));
        const F scale = Div(s.lx, s.l2);
        r.inverse = IfThenElse(better, inverse, r.inverse);
        r.scale = IfThenElse(better, scale, r.scale);
        best = IfThenElse(better, Mul(scale, s.lx), best);
    }
}

// fitSymmetric; its codes are those of `inverse`, 0 in empty groups.
template <class F>
SymmetricFit<F> FitSymmetric(const Batch<F>& b, int n) {
    const Largest<F> largest = LargestOf(b);
    Levels<F> wx;
    SetWeightedX(b, wx);
    const auto empty = Lt(largest.magnitude, Number<F>(emptyGroup));
    const Divisor<F> divisor(largest.value, Not(empty));
    const F start = divisor.quotient(static_cast<float>(-n));
    const Sums<F> first = SymmetricSums<false, true>(b, wx, n, start);
    const F startScale = IfThenZeroElse(Eq(first.l2, Number<F>(0)), Div(first.lx, first.l2)); // Ne is false where a sum overflowed
    SymmetricFit<F> r{startScale, start, empty};
    F best = Mul(r.scale, first.lx);
    TrySymmetric<false, false>(b, wx, n, -9, -6, divisor, r, best);
    TrySymmetric<false, true>(b, wx, n, -5, 4, divisor, r, best);
    TrySymmetric<true, true>(b, wx, n, 5, 9, divisor, r, best);
    r.scale = IfThenZeroElse(r.empty, r.scale);
    return r;
}

// The level that one element of one sweep would move to, from the sums without it, in the `asked` lanes, whose lx is above 0. `n`
// is below 8. A quotient from an approximate reciprocal is off by less than 2^-12, which decides unless it is that near to the
// middle of two levels; only then it is worth the division.
template <class F>
HWY_INLINE F HeldNext(int n, F x, const Sums<F>& without, MaskOf<F> asked) {
    const F low = Number<F>(static_cast<float>(-n)), high = Number<F>(static_cast<float>(n - 1));
    const F rough = ApproximateReciprocal(without.lx);
    const F reciprocal = Mul(rough, NegMulAdd(without.lx, rough, Number<F>(2)));
    const F quotient = Min(Max(Mul(Mul(x, without.l2), reciprocal), low), high);
    const F held = Add(quotient, Number<F>(magic));
    const F off = Abs(Sub(quotient, Sub(held, Number<F>(magic))));
    const auto clear =
        And(Lt(off, Number<F>(0.5f - 0x1p-12f)), And(Gt(without.lx, Number<F>(0x1p-100f)), Lt(without.lx, Number<F>(0x1p100f))));
    if (!AnyTrue(And(asked, Not(clear)))) return held;
    const F next = HoldNearest(Div(Mul(x, without.l2), without.lx));
    return Min(Max(next, Add(low, Number<F>(magic))), Add(high, Number<F>(magic)));
}

// One element of one sweep: improve() of fit.cpp in lanes. Gives the lanes that moved.
template <class F>
HWY_INLINE MaskOf<F> Improve(int n, F x, F w, F wx, F& level, Sums<F>& sums) {
    F lx = Sub(sums.lx, Mul(wx, level));
    F l2 = Sub(sums.l2, Mul(Mul(w, level), level));
    const auto usable = Gt(lx, Number<F>(0));
    const F next = Sub(HeldNext<F>(n, x, {lx, l2}, usable), Number<F>(magic));
    lx = Add(lx, Mul(wx, next));
    l2 = Add(l2, Mul(Mul(w, next), next));
    const auto better = Gt(Mul(Mul(lx, lx), sums.l2), Mul(Mul(sums.lx, sums.lx), l2));
    const auto moves = And(And(usable, Ne(next, level)), And(Gt(l2, Number<F>(0)), better));
    level = IfThenElse(moves, next, level);
    sums.lx = IfThenElse(moves, lx, sums.lx);
    sums.l2 = IfThenElse(moves, l2, sums.l2);
    return moves;
}

template <class F>
struct UnsureFit {
    F scale;
    MaskOf<F> unsure; // lanes in which another sweep might move a code
};

// fitBySweeps, the scale only, with up to `sweeps` of its five sweeps. The weights of the batch are x².
template <class F>
UnsureFit<F> FitBySweeps(const Batch<F>& b, int n, int sweeps) {
    const Largest<F> largest = LargestOf(b);
    const F inverse = Div(Number<F>(static_cast<float>(-n)), largest.value);
    Levels<F> wx;
    SetWeightedX(b, wx);
    Sums<F> sums = SymmetricSums<false, true>(b, wx, n, inverse);
    Levels<F> levels;
    for (std::size_t i = 0; i < b.size; ++i) levels.set(i, LevelInRange<false, true>(Mul(inverse, b.X(i)), -n, n - 1));
    // A lane whose sweep changed nothing would change nothing in the next one either, so it needs no separate mask.
    auto changed = Lt(Number<F>(0), Number<F>(0));
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        changed = Lt(Number<F>(0), Number<F>(0));
        for (std::size_t i = 0; i < b.size; ++i) {
            F level = levels.get(i);
            changed = Or(changed, Improve(n, b.X(i), b.W(i), wx.get(i), level, sums));
            levels.set(i, level);
        }
        if (!AnyTrue(changed)) break;
    }
    const auto empty = Lt(largest.magnitude, Number<F>(emptyGroup));
    return {IfThenZeroElse(empty, RatioAbove(sums.lx, sums.l2)), And(changed, Not(empty))};
}

// The scale of fitBySweeps in groups whose codes no sweep moves, which are most. As long as none has moved, the sums stand, so that
// all elements can be asked at once.
template <class F>
UnsureFit<F> FitUnswept(const Batch<F>& b, int n) {
    const Largest<F> largest = LargestOf(b);
    const F inverse = Div(Number<F>(static_cast<float>(-n)), largest.value);
    Sums<F> sums{Number<F>(0), Number<F>(0)};
    Levels<F> held, lx, l2;
    for (std::size_t i = 0; i < b.size; ++i) {
        const F x = b.X(i);
        const F w = Mul(x, x);
        const F hold = Min(Add(Mul(inverse, x), Number<F>(magic)), Number<F>(magic + static_cast<float>(n - 1)));
        const F level = Sub(hold, Number<F>(magic));
        held.set(i, hold);
        lx.set(i, Mul(Mul(w, x), level));
        l2.set(i, Mul(Mul(w, level), level));
        sums.lx = Add(sums.lx, lx.get(i));
        sums.l2 = Add(sums.l2, l2.get(i));
    }
    auto unsure = Lt(Number<F>(0), Number<F>(0));
    for (std::size_t i = 0; i < b.size; ++i) {
        const Sums<F> without{Sub(sums.lx, lx.get(i)), Sub(sums.l2, l2.get(i))};
        const auto usable = Gt(without.lx, Number<F>(0));
        unsure = Or(unsure, And(usable, Ne(HeldNext(n, b.X(i), without, usable), held.get(i))));
    }
    const auto empty = Lt(largest.magnitude, Number<F>(emptyGroup));
    return {IfThenZeroElse(empty, RatioAbove(sums.lx, sums.l2)), And(unsure, Not(empty))};
}

} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
