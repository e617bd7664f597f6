// SPDX-License-Identifier: MIT
// The search among the neighbours of a code that is no point of its grid. Included once per SIMD target.
#if defined(WB_QUANT_NEAREST_NEIGHBOUR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_QUANT_NEAREST_NEIGHBOUR_INL_H
#undef WB_QUANT_NEAREST_NEIGHBOUR_INL_H
#else
#define WB_QUANT_NEAREST_NEIGHBOUR_INL_H
#endif

#include "core/quant/grid.h"
#include "core/quant/lanes-inl.h"
#include "core/quant/near_lists.h"

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

// A search a lane: four elements and what weighs them in all lanes, and each lane's scale.
struct LanePoints {
    V x[4];
    V weights[4];
    V scale;
};

#if HWY_TARGET != HWY_SCALAR && HWY_MAX_BYTES >= 32
// The distances of a candidate a lane. Written out for every element, so that the points stay in registers.
template <std::size_t... i>
HWY_INLINE V DistancesOfLanes(const LanePoints& points, V levels, VI code, std::index_sequence<i...>) {
    V distance = Number(0);
    const auto add = [&](V x, V weight, VI digit) {
        const V level = hn::TableLookupLanes(levels, hn::IndicesFromVec(Floats(), hn::And(digit, hn::Set(Ints(), 7))));
        const V e = hn::Sub(hn::Mul(points.scale, level), x);
        distance = hn::Add(distance, hn::Mul(hn::Mul(weight, e), e));
    };
    (add(points.x[i], points.weights[i], hn::ShiftRight<3 * static_cast<int>(i)>(code)), ...);
    return distance;
}

HWY_INLINE void Take(V distance, VI code, V& best, VI& found) {
    const M nearer = hn::Lt(distance, best);
    best = hn::IfThenElse(nearer, distance, best);
    found = hn::IfThenElse(hn::RebindMask(Ints(), nearer), code, found);
}

// The lists of the lanes, padded to eights. Eight codes are read at a time and turned, as gathers cost several times as much on many
// processors.
struct LaneLists {
    const std::uint16_t* codes;
    std::int32_t longest = 0;
    HWY_ALIGN std::int32_t starts[mostLanes];
    HWY_ALIGN std::int32_t lasts[mostLanes]; // where the last eight codes start
    HWY_ALIGN std::int32_t arePoints[mostLanes];

    LaneLists(const NearLists& lists, VI place) : codes(lists.codes()) {
        HWY_ALIGN std::int32_t places[mostLanes];
        hn::Store(place, Ints(), places);
        for (std::size_t lane = 0; lane < Lanes(); ++lane) {
            const NearLists::List list = lists.list(static_cast<unsigned>(places[lane]));
            const auto start = static_cast<std::int32_t>(list.start), count = static_cast<std::int32_t>(list.count);
            starts[lane] = start;
            lasts[lane] = start + ((count - 1) & ~7);
            arePoints[lane] = list.isPoint;
            longest = std::max(longest, count);
        }
    }

    // Four pairs of codes of every list, from code `first`, a multiple of eight; of a list that ends before, its last four.
    std::array<V, 4> fourPairs(std::int32_t first) const {
        HWY_ALIGN std::int32_t places[mostLanes];
        const VI place = hn::Min(hn::Add(hn::Load(Ints(), starts), hn::Set(Ints(), first)), hn::Load(Ints(), lasts));
        hn::Store(hn::ShiftRight<1>(place), Ints(), places);
        return GatherFour(reinterpret_cast<const float*>(codes), places);
    }
};

// Each lane's code where it is a point, else its nearest near candidate; the grid's point 0 where no distance is a number. Codes have
// four digits of three bits; `place` is where the lists have them. `lists` are padded to eights. A lane that is through with its list
// looks at its last candidates again, which changes nothing.
HWY_INLINE VI NearestOfLanes(const Grid& grid, const NearLists& lists, VI code, VI place, const LanePoints& points) {
    const Ints di;
    const LaneLists lanes(lists, place);
    const V digit = hn::ConvertTo(Floats(), hn::And(hn::Iota(di, 0), hn::Set(di, 7)));
    const V levels = hn::Add(hn::Add(digit, digit), Number(1));
    V best = Number(std::numeric_limits<float>::max());
    const auto isPoint = hn::Gt(hn::Load(di, lanes.arePoints), hn::Zero(di));
    VI found = hn::IfThenElse(isPoint, code, hn::Set(di, static_cast<int>(grid.codeOf(0))));
    constexpr std::make_index_sequence<4> elements;
    for (std::int32_t first = 0; first < lanes.longest; first += 8) {
        const std::array<V, 4> pairs = lanes.fourPairs(first);
        for (std::int32_t i = 0; i < 4 && first + 2 * i < lanes.longest; ++i) {
            const VI pair = hn::BitCast(di, pairs[static_cast<std::size_t>(i)]);
            const VI one = hn::And(pair, hn::Set(di, 4095)), other = hn::ShiftRight<16>(pair);
            const V distance = DistancesOfLanes(points, levels, one, elements);
            const V otherDistance = DistancesOfLanes(points, levels, other, elements);
            Take(distance, one, best, found);
            Take(otherDistance, other, best, found);
        }
    }
    return found;
}
#endif

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
    HWY_ALIGN std::int32_t places[mostLanes];
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
