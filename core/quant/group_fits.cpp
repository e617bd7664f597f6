// SPDX-License-Identifier: MIT
#include "core/quant/group_fits.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/quant/group_fits.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/quant/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {
namespace {

constexpr std::size_t largestGroup = 32;
constexpr float emptyGroup = 1e-15f;

// One batch of groups with element i of all lanes at i · Lanes.
struct Batch {
    std::size_t size;
    HWY_ALIGN float x[largestGroup * mostLanes];
    HWY_ALIGN float w[largestGroup * mostLanes];

    V at(const float* values, std::size_t i) const { return hn::Load(Floats(), values + i * hn::Lanes(Floats())); }
    V X(std::size_t i) const { return at(x, i); }
    V W(std::size_t i) const { return at(w, i); }

    void load(const Groups& groups, const float* values, float* to) const {
        for (std::size_t i = 0; i < size; ++i) hn::Store(groups.load(values, i), Floats(), to + i * hn::Lanes(Floats()));
    }
};

// Calls body(first group, count) for runs of as many groups as there are lanes.
template <typename Body>
void ForBatches(std::size_t groups, Body body) {
    const std::size_t lanes = hn::Lanes(Floats());
    for (std::size_t first = 0; first < groups; first += lanes) body(first, std::min(lanes, groups - first));
}

struct Largest {
    V value, magnitude;
};

Largest SignedLargest(const Batch& b) {
    Largest largest{Number(0), Number(0)};
    for (std::size_t i = 0; i < b.size; ++i) {
        const V x = b.X(i);
        const V a = hn::Abs(x);
        const M larger = hn::Gt(a, largest.magnitude);
        largest.magnitude = hn::IfThenElse(larger, a, largest.magnitude);
        largest.value = hn::IfThenElse(larger, x, largest.value);
    }
    return largest;
}

struct Sums {
    V lx, l2;
};

Sums SymmetricSums(const Batch& b, int n, V inverse) {
    Sums sums{Number(0), Number(0)};
    for (std::size_t i = 0; i < b.size; ++i) {
        const V l = Level(hn::Mul(inverse, b.X(i)), -n, n - 1);
        const V wx = hn::Mul(b.W(i), b.X(i));
        const V wl = hn::Mul(b.W(i), l);
        sums.lx = hn::Add(sums.lx, hn::Mul(wx, l));
        sums.l2 = hn::Add(sums.l2, hn::Mul(wl, l));
    }
    return sums;
}

// a / b where b is not 0, else 0.
V Ratio(V a, V b) { return hn::IfThenElseZero(hn::Ne(b, Number(0)), hn::Div(a, b)); }

struct SymmetricResult {
    V scale, inverse;
    M empty;
};

SymmetricResult Symmetric(const Batch& b, int n) {
    const Largest largest = SignedLargest(b);
    SymmetricResult r;
    r.empty = hn::Lt(largest.magnitude, Number(emptyGroup));
    r.inverse = hn::Div(Number(static_cast<float>(-n)), largest.value);
    const Sums first = SymmetricSums(b, n, r.inverse);
    r.scale = Ratio(first.lx, first.l2);
    V best = hn::Mul(r.scale, first.lx);
    for (int t = -9; t <= 9; ++t) {
        if (t == 0) continue;
        const float numerator = -(static_cast<float>(n) + 0.1f * static_cast<float>(t));
        const V inverse = hn::Div(Number(numerator), largest.value);
        const Sums s = SymmetricSums(b, n, inverse);
        const M better = hn::And(hn::Gt(s.l2, Number(0)), hn::Gt(hn::Mul(s.lx, s.lx), hn::Mul(best, s.l2)));
        const V scale = hn::Div(s.lx, s.l2);
        r.inverse = hn::IfThenElse(better, inverse, r.inverse);
        r.scale = hn::IfThenElse(better, scale, r.scale);
        best = hn::IfThenElse(better, hn::Mul(scale, s.lx), best);
    }
    r.scale = hn::IfThenZeroElse(r.empty, r.scale);
    return r;
}

void FitSymmetricGroups(int n, std::size_t group, const float* x, const float* w, std::size_t groups, float* scales, std::uint8_t* codes) {
    const Ints di;
    ForBatches(groups, [&](std::size_t first, std::size_t count) {
        Batch b{group, {}, {}};
        const Groups places(group, first, count);
        b.load(places, x, b.x);
        b.load(places, w, b.w);
        const SymmetricResult r = Symmetric(b, n);
        StoreLanes(r.scale, first, count, scales);
        if (!codes) return;
        for (std::size_t i = 0; i < group; ++i) {
            const VI l = hn::Add(Clamped(Nearest(hn::Mul(r.inverse, b.X(i))), -n, n - 1), hn::Set(di, n));
            StoreCodes(hn::IfThenZeroElse(hn::RebindMask(di, r.empty), l), group, first, count, i, codes);
        }
    });
}

// One element of one sweep: improve() of fit.cpp in lanes. Gives the lanes that moved.
M Improve(int n, V x, V& level, Sums& sums) {
    const V w = hn::Mul(x, x);
    V lx = hn::Sub(sums.lx, hn::Mul(hn::Mul(w, x), level));
    V l2 = hn::Sub(sums.l2, hn::Mul(hn::Mul(w, level), level));
    const M usable = hn::Gt(lx, Number(0));
    const V next = Level(hn::Div(hn::Mul(x, l2), lx), -n, n - 1);
    lx = hn::Add(lx, hn::Mul(hn::Mul(w, x), next));
    l2 = hn::Add(l2, hn::Mul(hn::Mul(w, next), next));
    const M better = hn::Gt(hn::Mul(hn::Mul(lx, lx), sums.l2), hn::Mul(hn::Mul(sums.lx, sums.lx), l2));
    const M moves = hn::And(hn::And(usable, hn::Ne(next, level)), hn::And(hn::Gt(l2, Number(0)), better));
    level = hn::IfThenElse(moves, next, level);
    sums.lx = hn::IfThenElse(moves, lx, sums.lx);
    sums.l2 = hn::IfThenElse(moves, l2, sums.l2);
    return moves;
}

V BySweeps(Batch& b, int n) {
    const Floats d;
    const Largest largest = SignedLargest(b);
    const V inverse = hn::Div(Number(static_cast<float>(-n)), largest.value);
    for (std::size_t i = 0; i < b.size; ++i) hn::Store(hn::Mul(b.X(i), b.X(i)), d, b.w + i * hn::Lanes(d));
    Sums sums = SymmetricSums(b, n, inverse);
    HWY_ALIGN float levels[largestGroup * mostLanes];
    for (std::size_t i = 0; i < b.size; ++i) hn::Store(Level(hn::Mul(inverse, b.X(i)), -n, n - 1), d, levels + i * hn::Lanes(d));
    // A lane whose sweep changed nothing would change nothing in the next one either, so it needs no mask of its own.
    for (int sweep = 0; sweep < 5; ++sweep) {
        M changed = NoLanes();
        for (std::size_t i = 0; i < b.size; ++i) {
            V level = hn::Load(d, levels + i * hn::Lanes(d));
            changed = hn::Or(changed, Improve(n, b.X(i), level, sums));
            hn::Store(level, d, levels + i * hn::Lanes(d));
        }
        if (hn::AllFalse(d, changed)) break;
    }
    const V scale = hn::IfThenElseZero(hn::Gt(sums.l2, Number(0)), hn::Div(sums.lx, sums.l2));
    return hn::IfThenZeroElse(hn::Lt(largest.magnitude, Number(emptyGroup)), scale);
}

void FitBySweepsGroups(int n, std::size_t group, const float* x, std::size_t groups, float* scales) {
    ForBatches(groups, [&](std::size_t first, std::size_t count) {
        Batch b{group, {}, {}};
        b.load(Groups(group, first, count), x, b.x);
        StoreLanes(BySweeps(b, n), first, count, scales);
    });
}

struct Range {
    V low, high, weight, weightedX;
};

Range RangeOf(const Batch& b) {
    Range r{b.X(0), b.X(0), b.W(0), hn::Mul(b.W(0), b.X(0))};
    for (std::size_t i = 1; i < b.size; ++i) {
        const V x = b.X(i);
        r.low = hn::IfThenElse(hn::Lt(x, r.low), x, r.low);
        r.high = hn::IfThenElse(hn::Gt(x, r.high), x, r.high);
        r.weight = hn::Add(r.weight, b.W(i));
        r.weightedX = hn::Add(r.weightedX, hn::Mul(b.W(i), x));
    }
    r.low = hn::IfThenZeroElse(hn::Gt(r.low, Number(0)), r.low);
    return r;
}

V AffineLevel(int n, V inverse, V low, V x) { return Level(hn::Mul(inverse, hn::Sub(x, low)), 0, n); }

template <bool absolute>
V AffineError(const Batch& b, const float* levels, V scale, V low) {
    V error = Number(0);
    for (std::size_t i = 0; i < b.size; ++i) {
        const V e = hn::Sub(hn::Add(hn::Mul(scale, b.at(levels, i)), low), b.X(i));
        error = hn::Add(error, hn::Mul(b.W(i), absolute ? hn::Abs(e) : hn::Mul(e, e)));
    }
    return error;
}

struct AffineState {
    V scale, low, error;
    V usedInverse, usedLow; // what the kept codes were made with
};

template <bool absolute>
void TryAffine(const Batch& b, int n, const Range& range, V inverse, M active, AffineState& state) {
    const Floats d;
    HWY_ALIGN float levels[largestGroup * mostLanes];
    V l1 = Number(0);
    V l2 = Number(0);
    V lx = Number(0);
    for (std::size_t i = 0; i < b.size; ++i) {
        const V l = AffineLevel(n, inverse, state.low, b.X(i));
        const V wl = hn::Mul(b.W(i), l);
        hn::Store(l, d, levels + i * hn::Lanes(d));
        l1 = hn::Add(l1, wl);
        l2 = hn::Add(l2, hn::Mul(wl, l));
        lx = hn::Add(lx, hn::Mul(wl, b.X(i)));
    }
    const V determinant = hn::Sub(hn::Mul(range.weight, l2), hn::Mul(l1, l1));
    const M solvable = hn::Gt(determinant, Number(0));
    V scale = hn::Div(hn::Sub(hn::Mul(range.weight, lx), hn::Mul(range.weightedX, l1)), determinant);
    V low = hn::Div(hn::Sub(hn::Mul(l2, range.weightedX), hn::Mul(l1, lx)), determinant);
    const M above = hn::Gt(low, Number(0));
    scale = hn::IfThenElse(above, hn::Div(lx, l2), scale);
    low = hn::IfThenZeroElse(above, low);
    const V error = AffineError<absolute>(b, levels, scale, low);
    const M better = hn::And(hn::And(active, solvable), hn::Lt(error, state.error));
    state.usedInverse = hn::IfThenElse(better, inverse, state.usedInverse);
    state.usedLow = hn::IfThenElse(better, state.low, state.usedLow);
    state.error = hn::IfThenElse(better, error, state.error);
    state.scale = hn::IfThenElse(better, scale, state.scale);
    state.low = hn::IfThenElse(better, low, state.low);
}

template <bool absolute>
AffineState Affine(const Batch& b, int n, const AffineSearch& search, M& empty) {
    const Floats d;
    const Range range = RangeOf(b);
    empty = search.emptyIfNotAbove ? hn::Le(range.high, range.low) : hn::Eq(range.high, range.low);
    const M active = hn::Not(empty);
    const V top = Number(static_cast<float>(n));
    AffineState state{Number(0), range.low, Number(0), hn::Div(top, hn::Sub(range.high, range.low)), range.low};
    state.scale = hn::Div(Number(1), state.usedInverse);
    HWY_ALIGN float levels[largestGroup * mostLanes];
    for (std::size_t i = 0; i < b.size; ++i)
        hn::Store(AffineLevel(n, state.usedInverse, state.low, b.X(i)), d, levels + i * hn::Lanes(d));
    state.error = AffineError<absolute>(b, levels, state.scale, state.low);
    for (int t = 0; t <= search.tries; ++t) {
        const float numerator = search.first + search.step * static_cast<float>(t) + static_cast<float>(n);
        TryAffine<absolute>(b, n, range, hn::Div(Number(numerator), hn::Sub(range.high, state.low)), active, state);
    }
    state.scale = hn::IfThenZeroElse(empty, state.scale);
    return state;
}

void FitAffineGroups(int n, std::size_t group, const float* x, const float* w, std::size_t groups, const AffineSearch& search,
                     AffineFit* fits, std::uint8_t* codes) {
    const Ints di;
    ForBatches(groups, [&](std::size_t first, std::size_t count) {
        Batch b{group, {}, {}};
        const Groups places(group, first, count);
        b.load(places, x, b.x);
        b.load(places, w, b.w);
        M empty = NoLanes();
        const AffineState s = search.absoluteError ? Affine<true>(b, n, search, empty) : Affine<false>(b, n, search, empty);
        float scales[mostLanes];
        float lows[mostLanes];
        StoreLanes(s.scale, 0, count, scales);
        StoreLanes(s.low, 0, count, lows);
        for (std::size_t g = 0; g < count; ++g) fits[first + g] = {scales[g], -lows[g]};
        if (!codes) return;
        for (std::size_t i = 0; i < group; ++i) {
            const VI l = Clamped(Nearest(hn::Mul(s.usedInverse, hn::Sub(b.X(i), s.usedLow))), 0, n);
            StoreCodes(hn::IfThenZeroElse(hn::RebindMask(di, empty), l), group, first, count, i, codes);
        }
    });
}

VI LowByte(VI value) { return hn::And(value, hn::Set(Ints(), 255)); }
VI AtMost(VI value, int n) { return hn::Min(value, hn::Set(Ints(), n)); }

template <typename CodeOf>
V PositiveError(const Batch& b, V scale, CodeOf codeOf) {
    V error = Number(0);
    for (std::size_t i = 0; i < b.size; ++i) {
        const V e = hn::Sub(b.X(i), hn::Mul(scale, hn::ConvertTo(Floats(), codeOf(b.X(i)))));
        error = hn::Add(error, hn::Mul(hn::Mul(b.W(i), e), e));
    }
    return error;
}

V BestPositiveInverse(const Batch& b, int n, V largest) {
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

M ImprovePositive(int n, V x, V w, VI& code, Sums& sums) {
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

V Positive(const Batch& b, int n, std::int32_t* codes, M& empty) {
    const Floats d;
    const Ints di;
    V largest = Number(0);
    for (std::size_t i = 0; i < b.size; ++i) largest = hn::IfThenElse(hn::Gt(b.X(i), largest), b.X(i), largest);
    empty = hn::Lt(largest, Number(emptyGroup));
    const V inverse = BestPositiveInverse(b, n, largest);
    Sums sums{Number(0), Number(0)};
    for (std::size_t i = 0; i < b.size; ++i) {
        const VI code = AtMost(Nearest(hn::Mul(inverse, b.X(i))), n);
        const V level = hn::ConvertTo(d, code);
        hn::Store(LowByte(code), di, codes + i * hn::Lanes(d));
        sums.lx = hn::Add(sums.lx, hn::Mul(hn::Mul(b.W(i), b.X(i)), level));
        sums.l2 = hn::Add(sums.l2, hn::Mul(hn::Mul(b.W(i), level), level));
    }
    for (int sweep = 0; sweep < 5; ++sweep) {
        M changed = NoLanes();
        for (std::size_t i = 0; i < b.size; ++i) {
            VI code = hn::Load(di, codes + i * hn::Lanes(d));
            changed = hn::Or(changed, ImprovePositive(n, b.X(i), b.W(i), code, sums));
            hn::Store(code, di, codes + i * hn::Lanes(d));
        }
        if (hn::AllFalse(d, changed)) break;
    }
    const V scale = hn::IfThenElseZero(hn::Gt(sums.l2, Number(0)), hn::Div(sums.lx, sums.l2));
    return hn::IfThenZeroElse(empty, scale);
}

void FitPositiveGroups(int n, std::size_t group, const float* x, const float* w, std::size_t groups, float* scales, std::uint8_t* codes) {
    const Ints di;
    ForBatches(groups, [&](std::size_t first, std::size_t count) {
        Batch b{group, {}, {}};
        const Groups places(group, first, count);
        b.load(places, x, b.x);
        b.load(places, w, b.w);
        HWY_ALIGN std::int32_t own[largestGroup * mostLanes];
        M empty = NoLanes();
        StoreLanes(Positive(b, n, own, empty), first, count, scales);
        for (std::size_t i = 0; i < group; ++i) {
            const VI code = hn::IfThenZeroElse(hn::RebindMask(di, empty), hn::Load(di, own + i * hn::Lanes(di)));
            StoreCodes(code, group, first, count, i, codes);
        }
    });
}

template <typename Term>
void SumGroupsOf(std::size_t group, const float* x, std::size_t groups, float* sums, Term term) {
    ForBatches(groups, [&](std::size_t first, std::size_t count) {
        const Groups places(group, first, count);
        V sum = Number(0);
        for (std::size_t i = 0; i < group; ++i) sum = hn::Add(sum, term(places.load(x, i)));
        StoreLanes(sum, first, count, sums);
    });
}

void SumGroups(std::size_t group, const float* x, std::size_t groups, float* sums) {
    SumGroupsOf(group, x, groups, sums, [](V v) { return v; });
}

void SumSquaresGroups(std::size_t group, const float* x, std::size_t groups, float* sums) {
    SumGroupsOf(group, x, groups, sums, [](V v) { return hn::Mul(v, v); });
}

void ColumnWeights(const float* x, const float* columns, std::size_t count, float mean, float* weights) {
    const Floats d;
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
        const V v = hn::LoadU(d, x + i);
        hn::StoreU(hn::Mul(hn::LoadU(d, columns + i), hn::Sqrt(hn::Add(Number(mean), hn::Mul(v, v)))), d, weights + i);
    }
}

void AbsWeights(const float* x, std::size_t count, float mean, float* weights) {
    const Floats d;
    for (std::size_t i = 0; i < count; i += hn::Lanes(d))
        hn::StoreU(hn::Add(Number(mean), hn::Abs(hn::LoadU(d, x + i))), d, weights + i);
}

void DivideToCodes(const float* x, std::size_t count, float m, float scale, int low, int high, int shift, std::uint8_t* codes) {
    const Floats d;
    const hn::Rebind<std::uint8_t, Floats> bytes;
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
        const V quotient = hn::Div(hn::Add(hn::LoadU(d, x + i), Number(m)), Number(scale));
        const VI code = hn::Add(Clamped(Nearest(quotient), low, high), hn::Set(Ints(), shift));
        hn::StoreU(hn::DemoteTo(bytes, code), bytes, codes + i);
    }
}

} // namespace
} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::quant {

HWY_EXPORT(FitSymmetricGroups);
HWY_EXPORT(FitBySweepsGroups);
HWY_EXPORT(FitAffineGroups);
HWY_EXPORT(FitPositiveGroups);
HWY_EXPORT(SumGroups);
HWY_EXPORT(SumSquaresGroups);
HWY_EXPORT(ColumnWeights);
HWY_EXPORT(AbsWeights);
HWY_EXPORT(DivideToCodes);

namespace {
std::uint8_t* orNull(std::span<std::uint8_t> codes) { return codes.empty() ? nullptr : codes.data(); }
} // namespace

void fitSymmetricGroups(int n, std::size_t group, std::span<const float> x, std::span<const float> weights, std::span<float> scales,
                        std::span<std::uint8_t> codes) {
    HWY_DYNAMIC_DISPATCH(FitSymmetricGroups)(n, group, x.data(), weights.data(), x.size() / group, scales.data(), orNull(codes));
}

void fitBySweepsGroups(int n, std::size_t group, std::span<const float> x, std::span<float> scales) {
    HWY_DYNAMIC_DISPATCH(FitBySweepsGroups)(n, group, x.data(), x.size() / group, scales.data());
}

void fitAffineGroups(int n, std::size_t group, std::span<const float> x, std::span<const float> weights, const AffineSearch& search,
                     std::span<AffineFit> fits, std::span<std::uint8_t> codes) {
    HWY_DYNAMIC_DISPATCH(FitAffineGroups)(n, group, x.data(), weights.data(), x.size() / group, search, fits.data(), orNull(codes));
}

void fitPositiveGroups(int n, std::size_t group, std::span<const float> x, std::span<const float> weights, std::span<float> scales,
                       std::span<std::uint8_t> codes) {
    HWY_DYNAMIC_DISPATCH(FitPositiveGroups)(n, group, x.data(), weights.data(), x.size() / group, scales.data(), codes.data());
}

void sumGroups(std::size_t group, std::span<const float> values, std::span<float> sums) {
    HWY_DYNAMIC_DISPATCH(SumGroups)(group, values.data(), values.size() / group, sums.data());
}

void sumSquaresGroups(std::size_t group, std::span<const float> x, std::span<float> sums) {
    HWY_DYNAMIC_DISPATCH(SumSquaresGroups)(group, x.data(), x.size() / group, sums.data());
}

void columnWeights(std::span<const float> x, std::span<const float> columns, float mean, std::span<float> weights) {
    HWY_DYNAMIC_DISPATCH(ColumnWeights)(x.data(), columns.data(), x.size(), mean, weights.data());
}

void absWeights(std::span<const float> x, float mean, std::span<float> weights) {
    HWY_DYNAMIC_DISPATCH(AbsWeights)(x.data(), x.size(), mean, weights.data());
}

void divideToCodes(std::span<const float> x, float m, float d, int low, int high, int shift, std::span<std::uint8_t> codes) {
    HWY_DYNAMIC_DISPATCH(DivideToCodes)(x.data(), x.size(), m, d, low, high, shift, codes.data());
}

} // namespace wb::quant
#endif
