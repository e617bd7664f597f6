// SPDX-License-Identifier: MIT
// The search among the neighbors of a code that is not in its grid. Included once per SIMD target.
#if defined(WB_QUANT_NEAREST_NEIGHBOUR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_QUANT_NEAREST_NEIGHBOUR_INL_H
#undef WB_QUANT_NEAREST_NEIGHBOUR_INL_H
#else
#define WB_QUANT_NEAREST_NEIGHBOUR_INL_H
#endif

#include "core/quant/kernels/grid.h"
#include "core/quant/kernels/lanes-inl.h"
#include "core/quant/kernels/near_lists.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {

// What every digit of every element of a point adds to its distance: digit l of element i at i · digitValues + l. A candidate's
// distance is then a sum of table entries, walked in the order of elements as in the scalar form.
template <unsigned digits>
struct DistanceTerms {
    static constexpr unsigned bits = digits == 8 ? 2 : 3;
    static constexpr unsigned digitValues = 1u << bits;
    HWY_ALIGN float terms[32];
};

// The element and the level of each term.
template <unsigned digits>
struct TermPattern {
    HWY_ALIGN float levels[32];
    HWY_ALIGN std::int32_t elements[32];
    template <class LevelOf>
    explicit TermPattern(LevelOf levelOf) {
        for (unsigned i = 0; i < 32; ++i) {
            levels[i] = levelOf(i % DistanceTerms<digits>::digitValues);
            elements[i] = static_cast<std::int32_t>(i / DistanceTerms<digits>::digitValues);
        }
    }
};

// values[elements[i]] for the lanes from i. Up to `Lanes()` values are read.
HWY_INLINE V Spread(const float* values, const std::int32_t* elements, std::size_t i) {
#if HWY_TARGET == HWY_SCALAR || HWY_MAX_BYTES < 32
    return hn::GatherIndex(Floats(), values, hn::Load(Ints(), elements + i));
#else
    return hn::TableLookupLanes(hn::LoadU(Floats(), values), hn::IndicesFromVec(Floats(), hn::Load(Ints(), elements + i)));
#endif
}

// Terms weight · e² with e = scale · level - x for `digits` elements.
template <unsigned digits>
HWY_INLINE void SetTerms(const float* x, const float* weights, float scale, const TermPattern<digits>& pattern,
                         DistanceTerms<digits>& out) {
    const Floats d;
    for (std::size_t i = 0; i < 32; i += Lanes()) {
        const V e = hn::Sub(hn::Mul(Number(scale), hn::Load(d, pattern.levels + i)), Spread(x, pattern.elements, i));
        hn::Store(hn::Mul(hn::Mul(Spread(weights, pattern.elements, i), e), e), d, out.terms + i);
    }
}

// The first candidate with the strictly smallest distance, as a code; point 0 where no distance is a number.
template <unsigned digits>
HWY_INLINE unsigned NearestCandidateScalar(const Grid& grid, std::span<const std::uint16_t> candidates,
                                           const DistanceTerms<digits>& terms) {
    using T = DistanceTerms<digits>;
    float best = std::numeric_limits<float>::max();
    unsigned found = grid.codeOf(0);
    for (const unsigned candidate : candidates) {
        float distance = 0;
        for (unsigned i = 0; i < digits; ++i)
            distance += terms.terms[i * T::digitValues + (candidate >> (T::bits * i) & (T::digitValues - 1))];
        if (distance < best) {
            best = distance;
            found = candidate;
        }
    }
    return found;
}

#if HWY_TARGET == HWY_SCALAR || HWY_MAX_BYTES < 32
template <unsigned digits>
HWY_INLINE unsigned NearestCandidate(const Grid& grid, std::span<const std::uint16_t> candidates,
                                     const DistanceTerms<digits>& terms) {
    return NearestCandidateScalar(grid, candidates, terms);
}
#else
// The entries of element i, from which a lane's digit picks.
template <unsigned digits>
HWY_INLINE V TermTable(const DistanceTerms<digits>& terms, unsigned i) {
    if constexpr (digits == 8) return hn::LoadDup128(Floats(), terms.terms + 4 * i);
#if HWY_MAX_BYTES == 32
    return hn::Load(Floats(), terms.terms + 8 * i);
#else
    return hn::ZeroExtendVector(Floats(), hn::Load(hn::Half<Floats>(), terms.terms + 8 * i));
#endif
}

// The distances of the candidates in the lanes. Written out for every element, so that the tables stay in registers.
template <unsigned digits, std::size_t... i>
HWY_INLINE V Distances(const V (&tables)[digits], VI code, std::index_sequence<i...>) {
    using T = DistanceTerms<digits>;
    const VI digit = hn::Set(Ints(), T::digitValues - 1);
    V distance = Number(0);
    const auto add = [&](const V& table) {
        distance = hn::Add(distance, hn::TableLookupLanes(table, hn::IndicesFromVec(Floats(), hn::And(code, digit))));
        code = hn::ShiftRight<static_cast<int>(T::bits)>(code);
    };
    (add(tables[i]), ...);
    return distance;
}

template <unsigned digits, std::size_t... i>
HWY_INLINE unsigned NearestCandidateOf(const Grid& grid, std::span<const std::uint16_t> candidates,
                                       const DistanceTerms<digits>& terms, std::index_sequence<i...> elements) {
    const Floats d;
    const Ints di;
    const hn::Rebind<std::uint16_t, Floats> codes;
    const V tables[digits] = {TermTable(terms, i)...};
    V best = Number(std::numeric_limits<float>::max());
    VI place = hn::Set(di, -1);
    for (std::size_t c = 0; c < candidates.size(); c += Lanes()) {
        const VI code = hn::PromoteTo(di, hn::LoadU(codes, candidates.data() + c));
        const V distance = Distances<digits>(tables, code, elements);
        const M nearer = hn::Lt(distance, best);
        best = hn::IfThenElse(nearer, distance, best);
        place = hn::IfThenElse(hn::RebindMask(di, nearer), hn::Iota(di, static_cast<int>(c)), place);
    }
    const M nearest = hn::Eq(best, hn::MinOfLanes(d, best));
    HWY_ALIGN std::int32_t places[maxLanes];
    hn::Store(place, di, places);
    std::int32_t first = places[hn::FindFirstTrue(d, nearest)];
    if (hn::CountTrue(d, nearest) > 1) {
        // Of equal distances the first in the list counts.
        const VI none = hn::Set(di, std::numeric_limits<std::int32_t>::max());
        first = hn::GetLane(hn::MinOfLanes(di, hn::IfThenElse(hn::RebindMask(di, nearest), place, none)));
    }
    return first < 0 ? grid.codeOf(0) : candidates[static_cast<std::size_t>(first)];
}

template <unsigned digits>
HWY_INLINE unsigned NearestCandidate(const Grid& grid, std::span<const std::uint16_t> candidates,
                                     const DistanceTerms<digits>& terms) {
    return NearestCandidateOf<digits>(grid, candidates, terms, std::make_index_sequence<digits>());
}
#endif

} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
