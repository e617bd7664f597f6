// SPDX-License-Identifier: MIT
// fitAffine of fit.h for many groups at once: one group a SIMD lane, each lane in the reference's own order of
// operations, so that every scale and code equals the scalar form's bit for bit (docs/reference/gguf.md, "SIMD and GPU forms").
// Included once per SIMD target.
#if defined(WB_QUANT_FIT_AFFINE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_QUANT_FIT_AFFINE_INL_H
#undef WB_QUANT_FIT_AFFINE_INL_H
#else
#define WB_QUANT_FIT_AFFINE_INL_H
#endif

#include "core/quant/kernels/batch-inl.h"
#include "core/quant/kernels/fit.h"

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {

template <class F>
struct Range {
    F least, low, high, weight, weightedX; // low is least, but at most 0
};

template <class F>
HWY_INLINE Range<F> RangeOf(const Batch<F>& b) {
    Range<F> r{b.X(0), b.X(0), b.X(0), b.W(0), Mul(b.W(0), b.X(0))};
    for (std::size_t i = 1; i < b.size; ++i) {
        const F x = b.X(i);
        r.least = IfThenElse(Lt(x, r.least), x, r.least);
        r.high = IfThenElse(Gt(x, r.high), x, r.high);
        r.weight = Add(r.weight, b.W(i));
        r.weightedX = Add(r.weightedX, Mul(b.W(i), x));
    }
    r.low = IfThenZeroElse(Gt(r.least, Number<F>(0)), r.least);
    return r;
}

template <class F>
struct LaneFit {
    F scale, low, error;
    F usedInverse, usedLow; // what the kept codes were made with
    F weight;               // Σ w
    MaskOf<F> empty;        // codes are 0
};

// How the levels of one candidate may be rounded. Rounding keeps order, so the extremes of a group decide for all its elements.
enum class Rounding { Exact, Clamped, ClampedBelow, ClampedAbove, Free };

template <class F>
HWY_INLINE Rounding RoundingFor(int n, const Range<F>& range, F inverse, F low, MaskOf<F> active) {
    const F one = Mul(inverse, Sub(range.least, low));
    const F other = Mul(inverse, Sub(range.high, low));
    const F limit = Number<F>(roundableLimit);
    if (AnyTrue(And(active, Not(And(Le(Abs(one), limit), Le(Abs(other), limit)))))) return Rounding::Exact;
    const bool below = AnyTrue(And(active, Lt(Min(one, other), Number<F>(-0.5f))));
    const bool above = AnyTrue(And(active, Not(Lt(Max(one, other), Number<F>(static_cast<float>(n) + 0.5f)))));
    if (below) return above ? Rounding::Clamped : Rounding::ClampedBelow;
    return above ? Rounding::ClampedAbove : Rounding::Free;
}

template <class F, Rounding rounding>
HWY_INLINE F AffineLevel(int n, F inverse, F low, F x) {
    using enum Rounding;
    const F y = Mul(inverse, Sub(x, low));
    if constexpr (rounding == Exact) return Level(y, 0, n);
    else
        return LevelInRange < rounding == Clamped || rounding == ClampedBelow,
               rounding == Clamped || rounding == ClampedAbove > (y, 0, n);
}

template <class F, bool absolute>
HWY_INLINE F AffineError(const Batch<F>& b, const Levels<F>& levels, F scale, F low) {
    F error = Number<F>(0);
    for (std::size_t i = 0; i < b.size; ++i) {
        const F e = Sub(Add(Mul(scale, levels.get(i)), low), b.X(i));
        if constexpr (absolute) error = Add(error, Mul(b.W(i), Abs(e)));
        else error = Add(error, Mul(b.W(i), Mul(e, e)));
    }
    return error;
}

template <class F>
struct AffineSums {
    F l, l2, lx;
};

template <Rounding rounding, class F>
HWY_INLINE AffineSums<F> AffineSumsWith(const Batch<F>& b, int n, F inverse, F low, Levels<F>& levels) {
    AffineSums<F> sums{Number<F>(0), Number<F>(0), Number<F>(0)};
    for (std::size_t i = 0; i < b.size; ++i) {
        const F x = b.X(i);
        const F l = AffineLevel<F, rounding>(n, inverse, low, x);
        const F wl = Mul(b.W(i), l);
        levels.set(i, l);
        sums.l = Add(sums.l, wl);
        sums.l2 = Add(sums.l2, Mul(wl, l));
        sums.lx = Add(sums.lx, Mul(wl, x));
    }
    return sums;
}

template <class F>
HWY_INLINE AffineSums<F> AffineSumsOf(Rounding rounding, const Batch<F>& b, int n, F inverse, F low, Levels<F>& levels) {
    using enum Rounding;
    switch (rounding) {
    case Free: return AffineSumsWith<Free>(b, n, inverse, low, levels);
    case ClampedAbove: return AffineSumsWith<ClampedAbove>(b, n, inverse, low, levels);
    case ClampedBelow: return AffineSumsWith<ClampedBelow>(b, n, inverse, low, levels);
    case Clamped: return AffineSumsWith<Clamped>(b, n, inverse, low, levels);
    default: return AffineSumsWith<Exact>(b, n, inverse, low, levels);
    }
}

template <class F, bool absolute>
HWY_INLINE void TryAffine(const Batch<F>& b, int n, const Range<F>& range, F inverse, MaskOf<F> active, Levels<F>& levels,
                          LaneFit<F>& fit) {
    const AffineSums<F> s = AffineSumsOf(RoundingFor(n, range, inverse, fit.low, active), b, n, inverse, fit.low, levels);
    const F determinant = Sub(Mul(range.weight, s.l2), Mul(s.l, s.l));
    F scale = Div(Sub(Mul(range.weight, s.lx), Mul(range.weightedX, s.l)), determinant);
    F low = Div(Sub(Mul(s.l2, range.weightedX), Mul(s.l, s.lx)), determinant);
    const auto above = Gt(low, Number<F>(0));
    if (AnyTrue(above)) { // rare, and it is a third division
        scale = IfThenElse(above, Div(s.lx, s.l2), scale);
        low = IfThenZeroElse(above, low);
    }
    const F error = AffineError<F, absolute>(b, levels, scale, low);
    const auto better = And(And(active, Gt(determinant, Number<F>(0))), Lt(error, fit.error));
    fit.usedInverse = IfThenElse(better, inverse, fit.usedInverse);
    fit.usedLow = IfThenElse(better, fit.low, fit.usedLow);
    fit.error = IfThenElse(better, error, fit.error);
    fit.scale = IfThenElse(better, scale, fit.scale);
    fit.low = IfThenElse(better, low, fit.low);
}

// fitAffine: the minimum it returns is -low, its codes are those of usedInverse and usedLow.
template <class F, bool absolute>
LaneFit<F> FitAffine(const Batch<F>& b, int n, const AffineSearch& search) {
    const Range<F> range = RangeOf(b);
    const auto empty = search.emptyIfNotAbove ? Le(range.high, range.low) : Eq(range.high, range.low);
    const auto active = Not(empty);
    const F start = Div(Number<F>(static_cast<float>(n)), Sub(range.high, range.low));
    LaneFit<F> fit{Div(Number<F>(1), start), range.low, Number<F>(0), start, range.low, range.weight, empty};
    Levels<F> levels;
    for (std::size_t i = 0; i < b.size; ++i) levels.set(i, AffineLevel<F, Rounding::Exact>(n, fit.usedInverse, fit.low, b.X(i)));
    fit.error = AffineError<F, absolute>(b, levels, fit.scale, fit.low);
    for (int t = 0; t <= search.tries; ++t) {
        const float numerator = search.first + search.step * static_cast<float>(t) + static_cast<float>(n);
        const F inverse = Div(Number<F>(numerator), Sub(range.high, fit.low));
        TryAffine<F, absolute>(b, n, range, inverse, active, levels, fit);
    }
    fit.scale = IfThenZeroElse(fit.empty, fit.scale);
    return fit;
}

} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
