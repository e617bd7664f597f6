// SPDX-License-Identifier: MIT
// The fitting procedures of fit.h for many groups at once: one group a SIMD lane, each lane in the reference's own order of
// operations, so that every scale and code equals the scalar form's bit for bit (specs/gguf_and_quantization.md 12). Included once
// per SIMD target.
#if defined(WB_QUANT_FITS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_QUANT_FITS_INL_H
#undef WB_QUANT_FITS_INL_H
#else
#define WB_QUANT_FITS_INL_H
#endif

#include "core/quant/fit.h"
#include "core/quant/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {

constexpr std::size_t largestGroup = 32;
constexpr float emptyGroup = 1e-15f;

// Groups of up to 32 elements side by side: element i of all lanes together. `w` are their weights.
template <class F>
struct Batch {
    static constexpr std::size_t floats = largestGroup * Shape<F>::vectors * mostLanes;
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

// Numbers beside a batch: the level of every element.
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
HWY_INLINE void SetWeightedX(const Batch<F>& b, Levels<F>& wx) {
    for (std::size_t i = 0; i < b.size; ++i) wx.set(i, Mul(b.W(i), b.X(i)));
}

template <class F>
struct SymmetricFit {
    F scale, inverse;
    MaskOf<F> empty;
};

// What the numerators of fitSymmetric are divided by: -(n + 0.1·t) with n of 4 or 32 and t from -9 to 9. The product with the rounded
// reciprocal, corrected by what it leaves of the numerator, is the rounded quotient (Markstein, IBM J. Res. Dev. 34(1), 1990), which
// tests/unit/quant/divisor_test.cpp shows for every divisor. The divider is then left to the scales.
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

// The level that one element of one sweep would move to, from the sums without it, in the `asked` lanes, whose lx is above 0. `n` is
// below 8. A quotient from an approximate reciprocal is off by less than 2^-12, which decides unless it is that near to the middle of
// two levels; only then it is worth the division.
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
    // A lane whose sweep changed nothing would change nothing in the next one either, so it needs no mask of its own.
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
    if (AnyTrue(above)) { // hardly ever, and it is a third division
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

HWY_INLINE VI LowByte(VI value) { return hn::And(value, hn::Set(Ints(), 255)); }
HWY_INLINE VI AtMost(VI value, int n) { return hn::Min(value, hn::Set(Ints(), n)); }

template <typename CodeOf>
HWY_INLINE V PositiveError(const Batch<V>& b, V scale, CodeOf codeOf) {
    V error = Number(0);
    for (std::size_t i = 0; i < b.size; ++i) {
        const V e = hn::Sub(b.X(i), hn::Mul(scale, hn::ConvertTo(Floats(), codeOf(b.X(i)))));
        error = hn::Add(error, hn::Mul(hn::Mul(b.W(i), e), e));
    }
    return error;
}

HWY_INLINE V BestPositiveInverse(const Batch<V>& b, int n, V largest) {
    V best = hn::Div(Number(static_cast<float>(n)), largest);
    V bestError = PositiveError(b, hn::Div(Number(1), best), [&](V x) { return LowByte(Nearest(hn::Mul(best, x))); });
    for (int t = -4; t <= 4; ++t) {
        if (t == 0) continue;
        const V inverse = hn::Div(Number(0.1f * static_cast<float>(t) + static_cast<float>(n)), largest);
        const V error = PositiveError(b, hn::Div(Number(1), inverse), [&](V x) { return AtMost(Nearest(hn::Mul(inverse, x)), n); });
        const M better = hn::Lt(error, bestError);
        bestError = hn::IfThenElse(better, error, bestError);
        best = hn::IfThenElse(better, inverse, best);
    }
    return best;
}

HWY_INLINE M ImprovePositive(int n, V x, V w, VI& code, Sums<V>& sums) {
    const Floats d;
    const V old = hn::ConvertTo(d, code);
    V lx = hn::Sub(sums.lx, hn::Mul(hn::Mul(w, x), old));
    V l2 = hn::Sub(sums.l2, hn::Mul(hn::Mul(w, old), old));
    const M usable = hn::And(hn::Gt(lx, Number(0)), hn::Gt(l2, Number(0)));
    const VI next = AtMost(Nearest(hn::Div(hn::Mul(x, l2), lx)), n);
    const V level = hn::ConvertTo(d, next);
    lx = hn::Add(lx, hn::Mul(hn::Mul(w, x), level));
    l2 = hn::Add(l2, hn::Mul(hn::Mul(w, level), level));
    const M better = hn::Gt(hn::Mul(hn::Mul(lx, lx), sums.l2), hn::Mul(hn::Mul(sums.lx, sums.lx), l2));
    const M moves = hn::And(hn::And(usable, better), hn::RebindMask(d, hn::Ne(next, code)));
    code = hn::IfThenElse(hn::RebindMask(Ints(), moves), LowByte(next), code);
    sums.lx = hn::IfThenElse(moves, lx, sums.lx);
    sums.l2 = hn::IfThenElse(moves, l2, sums.l2);
    return moves;
}

// fitPositive with its codes, element i of all lanes at i · lanes.
HWY_INLINE V FitPositive(const Batch<V>& b, int n, std::int32_t* codes) {
    const Floats d;
    const Ints di;
    V largest = Number(0);
    for (std::size_t i = 0; i < b.size; ++i) largest = hn::IfThenElse(hn::Gt(b.X(i), largest), b.X(i), largest);
    const M empty = hn::Lt(largest, Number(emptyGroup));
    const V inverse = BestPositiveInverse(b, n, largest);
    Sums<V> sums{Number(0), Number(0)};
    for (std::size_t i = 0; i < b.size; ++i) {
        const VI code = AtMost(Nearest(hn::Mul(inverse, b.X(i))), n);
        const V level = hn::ConvertTo(d, code);
        hn::Store(LowByte(code), di, codes + i * Lanes());
        sums.lx = hn::Add(sums.lx, hn::Mul(hn::Mul(b.W(i), b.X(i)), level));
        sums.l2 = hn::Add(sums.l2, hn::Mul(hn::Mul(b.W(i), level), level));
    }
    for (int sweep = 0; sweep < 5; ++sweep) {
        M changed = hn::Lt(Number(0), Number(0));
        for (std::size_t i = 0; i < b.size; ++i) {
            VI code = hn::Load(di, codes + i * Lanes());
            changed = hn::Or(changed, ImprovePositive(n, b.X(i), b.W(i), code, sums));
            hn::Store(code, di, codes + i * Lanes());
        }
        if (!AnyTrue(changed)) break;
    }
    for (std::size_t i = 0; i < b.size; ++i)
        hn::Store(hn::IfThenZeroElse(hn::RebindMask(di, empty), hn::Load(di, codes + i * Lanes())), di, codes + i * Lanes());
    return hn::IfThenZeroElse(empty, RatioAbove(sums.lx, sums.l2));
}

} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
