// SPDX-License-Identifier: MIT
// Included once per SIMD target by the files of this room that compute with one group a lane.
#if defined(WB_QUANT_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_QUANT_LANES_INL_H
#undef WB_QUANT_LANES_INL_H
#else
#define WB_QUANT_LANES_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t maxLanes = 16;
using Floats = hn::CappedTag<float, maxLanes>;
using Ints = hn::RebindToSigned<Floats>;
using Bytes = hn::Rebind<std::uint8_t, Floats>;
using V = hn::Vec<Floats>;
using VI = hn::Vec<Ints>;
using M = hn::Mask<Floats>;

HWY_INLINE std::size_t Lanes() { return hn::Lanes(Floats()); }

// Two vectors that are computed with as one, so that one's arithmetic fills the other's latencies. They nest. Operations on plain
// vectors are Highway's own, found by argument-dependent lookup.
template <class T>
struct Two {
    T a, b;
};

template <class F>
struct Shape {
    static constexpr std::size_t vectors = 1;
    using Mask = M;
};
template <class T>
struct Shape<Two<T>> {
    static constexpr std::size_t vectors = 2 * Shape<T>::vectors;
    using Mask = Two<typename Shape<T>::Mask>;
};
template <class F>
using MaskOf = typename Shape<F>::Mask;

// clang-format off
template <class T> HWY_INLINE Two<T> Add(Two<T> p, Two<T> q) { return {Add(p.a, q.a), Add(p.b, q.b)}; }
template <class T> HWY_INLINE Two<T> Sub(Two<T> p, Two<T> q) { return {Sub(p.a, q.a), Sub(p.b, q.b)}; }
template <class T> HWY_INLINE Two<T> Mul(Two<T> p, Two<T> q) { return {Mul(p.a, q.a), Mul(p.b, q.b)}; }
template <class T> HWY_INLINE Two<T> Div(Two<T> p, Two<T> q) { return {Div(p.a, q.a), Div(p.b, q.b)}; }
template <class T> HWY_INLINE Two<T> Min(Two<T> p, Two<T> q) { return {Min(p.a, q.a), Min(p.b, q.b)}; }
template <class T> HWY_INLINE Two<T> Max(Two<T> p, Two<T> q) { return {Max(p.a, q.a), Max(p.b, q.b)}; }
template <class T> HWY_INLINE Two<T> And(Two<T> p, Two<T> q) { return {And(p.a, q.a), And(p.b, q.b)}; }
template <class T> HWY_INLINE Two<T> Or(Two<T> p, Two<T> q) { return {Or(p.a, q.a), Or(p.b, q.b)}; }
template <class T> HWY_INLINE Two<T> Not(Two<T> p) { return {Not(p.a), Not(p.b)}; }
template <class T> HWY_INLINE Two<T> Abs(Two<T> p) { return {Abs(p.a), Abs(p.b)}; }
template <class T> HWY_INLINE Two<T> ApproximateReciprocal(Two<T> p) { return {ApproximateReciprocal(p.a), ApproximateReciprocal(p.b)}; }
template <class T> HWY_INLINE Two<T> MulAdd(Two<T> p, Two<T> q, Two<T> r) { return {MulAdd(p.a, q.a, r.a), MulAdd(p.b, q.b, r.b)}; }
template <class T> HWY_INLINE Two<T> NegMulAdd(Two<T> p, Two<T> q, Two<T> r) { return {NegMulAdd(p.a, q.a, r.a), NegMulAdd(p.b, q.b, r.b)}; }
template <class T> HWY_INLINE Two<T> Sqrt(Two<T> p) { return {Sqrt(p.a), Sqrt(p.b)}; }
template <class T> HWY_INLINE Two<T> Round(Two<T> p) { return {Round(p.a), Round(p.b)}; }
template <class T> HWY_INLINE MaskOf<Two<T>> Lt(Two<T> p, Two<T> q) { return {Lt(p.a, q.a), Lt(p.b, q.b)}; }
template <class T> HWY_INLINE MaskOf<Two<T>> Le(Two<T> p, Two<T> q) { return {Le(p.a, q.a), Le(p.b, q.b)}; }
template <class T> HWY_INLINE MaskOf<Two<T>> Gt(Two<T> p, Two<T> q) { return {Gt(p.a, q.a), Gt(p.b, q.b)}; }
template <class T> HWY_INLINE MaskOf<Two<T>> Eq(Two<T> p, Two<T> q) { return {Eq(p.a, q.a), Eq(p.b, q.b)}; }
template <class T> HWY_INLINE MaskOf<Two<T>> Ne(Two<T> p, Two<T> q) { return {Ne(p.a, q.a), Ne(p.b, q.b)}; }
template <class K, class T>
HWY_INLINE Two<T> IfThenElse(Two<K> m, Two<T> p, Two<T> q) { return {IfThenElse(m.a, p.a, q.a), IfThenElse(m.b, p.b, q.b)}; }
template <class K, class T>
HWY_INLINE Two<T> IfThenElseZero(Two<K> m, Two<T> p) { return {IfThenElseZero(m.a, p.a), IfThenElseZero(m.b, p.b)}; }
template <class K, class T>
HWY_INLINE Two<T> IfThenZeroElse(Two<K> m, Two<T> p) { return {IfThenZeroElse(m.a, p.a), IfThenZeroElse(m.b, p.b)}; }
// clang-format on

template <class F = V>
HWY_INLINE F Number(float value) {
    if constexpr (Shape<F>::vectors == 1) {
        return hn::Set(Floats(), value);
    } else {
        const auto half = Number<decltype(F::a)>(value);
        return {half, half};
    }
}

HWY_INLINE bool AnyTrue(M mask) { return !hn::AllFalse(Floats(), mask); }
template <class K>
HWY_INLINE bool AnyTrue(Two<K> mask) {
    return AnyTrue(mask.a) || AnyTrue(mask.b);
}

// A number of this size has integers in its low bits, 1.5 · 2^23.
constexpr float magic = 12582912.0f;

// nearestInt of rounding.h, bit for bit outside its range too.
HWY_INLINE VI Nearest(V x) {
    const Ints di;
    const VI bits = hn::BitCast(di, hn::Add(x, Number(magic)));
    return hn::Sub(hn::And(bits, hn::Set(di, 0x007fffff)), hn::Set(di, 0x00400000));
}

HWY_INLINE VI Clamped(VI value, int low, int high) {
    const Ints di;
    return hn::Min(hn::Max(value, hn::Set(di, low)), hn::Set(di, high));
}

// x + magic with the exponent of 2^23, whatever x is: a number that contains nearestInt(x) in its low bits.
HWY_INLINE V HoldNearest(V x) {
    const Ints di;
    const VI bits = hn::BitCast(di, hn::Add(x, Number(magic)));
    return hn::BitCast(Floats(), hn::OrAnd(hn::Set(di, 0x4b000000), bits, hn::Set(di, 0x007fffff)));
}
template <class T>
HWY_INLINE Two<T> HoldNearest(Two<T> x) {
    return {HoldNearest(x.a), HoldNearest(x.b)};
}

// The nearest level as a number. A value with the rounded integer in its low bits can be clamped itself, without going to integers
// and back.
template <class F>
HWY_INLINE F Level(F x, int low, int high) {
    const F rounded = Max(HoldNearest(x), Number<F>(magic + static_cast<float>(low)));
    return Sub(Min(rounded, Number<F>(magic + static_cast<float>(high))), Number<F>(magic));
}

// The same where every |x| is at most 4,194,303, but for the sign of zero. Where no level can lie below or above the range, that
// side need not be clamped. Rounding is one instruction; two additions would compete with those of the sums.
constexpr float roundableLimit = 4194303.0f;
template <bool clampLow = true, bool clampHigh = true, class F>
HWY_INLINE F LevelInRange(F x, int low, int high) {
    F rounded = Round(x);
    if constexpr (clampLow) rounded = Max(rounded, Number<F>(static_cast<float>(low)));
    if constexpr (clampHigh) rounded = Min(rounded, Number<F>(static_cast<float>(high)));
    return rounded;
}

// Vectors in memory, those of one F side by side.
template <class F>
HWY_INLINE F LoadAt(const float* from) {
    if constexpr (Shape<F>::vectors == 1) {
        return hn::Load(Floats(), from);
    } else {
        using Half = decltype(F::a);
        return {LoadAt<Half>(from), LoadAt<Half>(from + Shape<Half>::vectors * Lanes())};
    }
}
HWY_INLINE void StoreAt(V value, float* to) { hn::Store(value, Floats(), to); }
template <class T>
HWY_INLINE void StoreAt(Two<T> value, float* to) {
    StoreAt(value.a, to);
    StoreAt(value.b, to + Shape<T>::vectors * Lanes());
}

// Four consecutive values from each place, those at the same distance from their places together: runs of four are turned within
// 128 bits, which costs a fraction of gathers.
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE std::array<V, 4> GatherFour(const float* from, const std::int32_t* places) {
    const float* const run = from + places[0];
    return {Number(run[0]), Number(run[1]), Number(run[2]), Number(run[3])};
}
#else
// The runs from places[0], places[4], …, one after another.
template <class D>
HWY_INLINE hn::Vec<D> Runs(D d, const float* from, const std::int32_t* places) {
    if constexpr (hn::MaxLanes(D()) <= 4) {
        return hn::LoadU(d, from + places[0]);
    } else {
        const hn::Half<D> half;
        return hn::Combine(d, Runs(half, from, places + hn::MaxLanes(half)), Runs(half, from, places));
    }
}

HWY_INLINE std::array<V, 4> GatherFour(const float* from, const std::int32_t* places) {
    const Floats d;
    const hn::Repartition<double, Floats> pairs;
    const V a = Runs(d, from, places);
    const V b = Runs(d, from, places + 1);
    const V c = Runs(d, from, places + 2);
    const V e = Runs(d, from, places + 3);
    const auto lowAB = hn::BitCast(pairs, hn::InterleaveLower(d, a, b));
    const auto lowCE = hn::BitCast(pairs, hn::InterleaveLower(d, c, e));
    const auto highAB = hn::BitCast(pairs, hn::InterleaveUpper(d, a, b));
    const auto highCE = hn::BitCast(pairs, hn::InterleaveUpper(d, c, e));
    return {hn::BitCast(d, hn::InterleaveLower(pairs, lowAB, lowCE)), hn::BitCast(d, hn::InterleaveUpper(pairs, lowAB, lowCE)),
            hn::BitCast(d, hn::InterleaveLower(pairs, highAB, highCE)), hn::BitCast(d, hn::InterleaveUpper(pairs, highAB, highCE))};
}
#endif

// Which groups of `group` elements, a multiple of four, are in the lanes of an F: `count` of them from `first`, or those that are
// listed. Lanes beyond the last group repeat it.
template <class F>
class Groups {
public:
    static std::size_t most() { return Shape<F>::vectors * Lanes(); }

    Groups(std::size_t group, std::size_t first, std::size_t count) : m_first(first * group) {
        const Ints di;
        for (std::size_t v = 0; v < Shape<F>::vectors; ++v) {
            const VI place = hn::Min(hn::Iota(di, static_cast<int>(v * Lanes())), hn::Set(di, static_cast<int>(count - 1)));
            hn::Store(hn::Mul(place, hn::Set(di, static_cast<int>(group))), di, m_places + v * Lanes());
        }
    }

    Groups(std::size_t group, std::span<const std::uint16_t> listed) : m_first(0) {
        for (std::size_t lane = 0; lane < most(); ++lane)
            m_places[lane] = static_cast<std::int32_t>(group * listed[std::min(lane, listed.size() - 1)]);
    }

    // Elements i … i+3 of every group.
    HWY_INLINE std::array<F, 4> loadFour(const float* values, std::size_t i) const {
        return gather<F>(values + m_first + i, m_places);
    }

    // One value a group, repeated for `perValue` groups in a row.
    HWY_INLINE F loadShared(const float* values, std::size_t group, std::size_t perValue) const {
        HWY_ALIGN float own[Shape<F>::vectors * maxLanes];
        for (std::size_t lane = 0; lane < most(); ++lane)
            own[lane] = values[(m_first + static_cast<std::size_t>(m_places[lane])) / group / perValue];
        return LoadAt<F>(own);
    }

private:
    template <class G>
    static HWY_INLINE std::array<G, 4> gather(const float* from, const std::int32_t* places) {
        if constexpr (Shape<G>::vectors == 1) {
            return GatherFour(from, places);
        } else {
            using Half = decltype(G::a);
            const std::array<Half, 4> a = gather<Half>(from, places);
            const std::array<Half, 4> b = gather<Half>(from, places + Shape<Half>::vectors * Lanes());
            return {G{a[0], b[0]}, G{a[1], b[1]}, G{a[2], b[2]}, G{a[3], b[3]}};
        }
    }

    std::size_t m_first;
    HWY_ALIGN std::int32_t m_places[Shape<F>::vectors * maxLanes];
};

// Calls body(first group, count) for runs of as many groups as an F has lanes.
template <class F, typename Body>
HWY_INLINE void ForBatches(std::size_t groups, Body body) {
    const std::size_t most = Groups<F>::most();
    for (std::size_t first = 0; first < groups; first += most) body(first, std::min(most, groups - first));
}

// The first `count` lanes.
template <class F>
HWY_INLINE void StoreLanes(F values, std::size_t count, float* out) {
    HWY_ALIGN float lanes[Shape<F>::vectors * maxLanes];
    StoreAt(values, lanes);
    std::copy_n(lanes, count, out);
}

} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
