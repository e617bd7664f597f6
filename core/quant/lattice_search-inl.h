// SPDX-License-Identifier: MIT
// The search of IQ2 and IQ3 for scales and points. Included once per SIMD target.
#if defined(WB_QUANT_LATTICE_SEARCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_QUANT_LATTICE_SEARCH_INL_H
#undef WB_QUANT_LATTICE_SEARCH_INL_H
#else
#define WB_QUANT_LATTICE_SEARCH_INL_H
#endif

#include "core/quant/lattice_sub_blocks-inl.h"
#include "core/quant/line_search-inl.h"
#include "core/quant/nearest_neighbour-inl.h"

#include <bit>

// One try of a scale a lane for the roundings and sums. Among neighbours IQ2 searches with one candidate a lane, IQ3, whose points round
// to like codes in many tries, with a run of tries.
HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {
namespace { // so that what is called once is inlined

// A try a lane: of which sub-block, and with which scale.
struct Tries {
    HWY_ALIGN std::int32_t subBlocks[mostLanes];
    V inverse, scale;
    std::uint32_t starts; // bit by bit the lanes whose sub-block is not that of the lane before
};

// Every sub-block in its own lane.
Tries OnePerSubBlock(V inverse, V scale) {
    Tries tries{{}, inverse, scale, 0xffff};
    hn::Store(hn::Iota(Ints(), 0), Ints(), tries.subBlocks);
    return tries;
}

// What became of all tries of all sub-blocks in the lanes.
struct Outcomes {
    static constexpr std::size_t most = 31 * mostLanes; // IQ3_XXS tries most scales, 31 a sub-block
    HWY_ALIGN float lx[most];
    HWY_ALIGN float l2[most];
    HWY_ALIGN std::int32_t points[mostPoints][most]; // twice the code, and 1 where it needed no neighbour
};

template <unsigned digits>
struct Search {
    using Terms = DistanceTerms<digits>;
    static constexpr int bits = static_cast<int>(Terms::bits);
    // Searches with one candidate a lane take a try of every sub-block together; searches of runs take the tries of one sub-block
    // together, which round to like codes.
    static constexpr bool triesShareLanes = digits == 4;

    const LatticeType& type;
    const Grid& grid;
    const NearLists& near;
    TermPattern<digits> pattern{[](unsigned digit) { return static_cast<float>(2 * digit + 1); }};

    std::size_t points() const { return type.subBlock / digits; }

    // The lanes' own of one number a sub-block.
    static V own(const Tries& tries, const float* numbers) {
        const V all = hn::Load(Floats(), numbers);
        if constexpr (!triesShareLanes) return all;
        return hn::TableLookupLanes(all, hn::IndicesFromVec(Floats(), hn::Load(Ints(), tries.subBlocks)));
    }

    // The code of a point in all lanes, and where an element lies so near to the middle of two levels that rounding decides: levels
    // are below 9, and the roundings on the way to them and to distances come to less than 2^-17.
    struct Rounded {
        VI code;
        M border;
    };
    Rounded round(const SubBlocks& sub, const Tries& tries, std::size_t k) const {
        Rounded r{hn::Zero(Ints()), hn::Lt(Number(0), Number(0))};
        V furthest = Number(0);
        for (std::size_t i = digits; i-- > 0;) {
            const V x = own(tries, sub.b.x + sub.b.at(k * digits + i));
            const V level = hn::Mul(Number(0.5f), hn::Sub(hn::Mul(tries.inverse, x), Number(1)));
            const VI digit = Clamped(Nearest(level), 0, type.levels - 1);
            const V inside = hn::Min(hn::Max(level, Number(0)), Number(static_cast<float>(type.levels - 1)));
            furthest = hn::Max(furthest, hn::Abs(hn::Sub(inside, hn::ConvertTo(Floats(), digit))));
            r.code = hn::Or(hn::ShiftLeft<bits>(r.code), digit);
        }
        r.border = hn::Gt(furthest, Number(0.5f - 0x1p-16f));
        return r;
    }

    // Rounds point k of the lanes in `lanes` to the grid; the others keep their code and flag.
    void roundToGrid(const SubBlocks& sub, const Tries& tries, std::size_t k, M lanes, VI& code, VI& onGrid) const {
        const Rounded rounded = round(sub, tries, k);
        const VI found = searchLanes(sub, tries, k, rounded.code, MaskBits(rounded.border), MaskBits(lanes), rounded.code);
        const auto keep = hn::RebindMask(Ints(), lanes);
        const VI isPoint = hn::IfThenElseZero(hn::Eq(found, rounded.code), hn::Set(Ints(), 1));
        onGrid = hn::IfThenElse(keep, isPoint, onGrid);
        code = hn::IfThenElse(keep, found, code);
    }

    M activeIn(const SubBlocks& sub, const Tries& tries) const { return hn::Gt(own(tries, sub.active), Number(0)); }

    // `found`, but in `lanes`, bit by bit, the points of the grid for the codes there: themselves where they are points, else their
    // nearest neighbours.
    VI searchLanes(const SubBlocks& sub, const Tries& tries, std::size_t k, VI rounded, std::uint32_t border, std::uint32_t lanes,
                   VI found) const {
        if (lanes == 0) return found;
        HWY_ALIGN std::int32_t codes[mostLanes], results[mostLanes];
        hn::Store(rounded, Ints(), codes);
        hn::Store(found, Ints(), results);
        HWY_ALIGN float scales[mostLanes];
        StoreAt(tries.scale, scales);
        for (; lanes != 0; lanes &= lanes - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
            const auto code = static_cast<unsigned>(codes[lane]);
            if (grid.pointOf(code) >= 0) continue;
            const auto candidates = (border >> lane & 1) != 0 ? grid.neighbourCodes(code) : near.of(code);
            const auto subBlock = static_cast<std::size_t>(tries.subBlocks[lane]);
            results[lane] = static_cast<std::int32_t>(neighbour(sub, candidates, subBlock, k, scales[lane]));
        }
        return hn::Load(Ints(), results);
    }

    unsigned neighbour(const SubBlocks& sub, std::span<const std::uint16_t> candidates, std::size_t subBlock, std::size_t k,
                       float scale) const {
        const std::size_t first = subBlock * largestGroup + k * digits;
        Terms terms;
        SetTerms<digits>(sub.y + first, sub.roots + first, scale, pattern, terms);
        return NearestCandidate<digits>(grid, candidates, terms);
    }

    // Rounds every point of the tries to the grid, one after another.
    void roundApart(const SubBlocks& sub, const Tries& tries, M active, PointArray& codes, PointArray& onGrid) const {
        for (std::size_t k = 0; k < points(); ++k) {
            VI code = hn::Zero(Ints()), isPoint = hn::Zero(Ints());
            roundToGrid(sub, tries, k, active, code, isPoint);
            codes.set(k, code);
            onGrid.set(k, isPoint);
        }
    }

    // The same where tries of one sub-block share the lanes, which round a point to like codes: neighbours with the same one search its
    // list as a run.
    void roundTogether(const SubBlocks& sub, const Tries& tries, M active, RunSearch& search, PointArray& codes, PointArray& onGrid) const {
        std::array<std::uint32_t, mostPoints> borders;
        for (std::size_t k = 0; k < points(); ++k) {
            const Rounded rounded = round(sub, tries, k);
            borders[k] = MaskBits(rounded.border);
            search.places.setCodes(k, rounded.code);
        }
        search.places.findRuns(near, points(), tries.starts, MaskBits(active));
        searchRuns(sub, tries, search);
        for (std::size_t k = 0; k < points(); ++k) {
            const M isPoint = search.places.pointsOf(k);
            const M sure = hn::Or(isPoint, search.nearest.sure(k, own(tries, sub.energies + k * mostLanes), tries.scale));
            const std::uint32_t unsure = MaskBits(active) & (borders[k] | ~MaskBits(sure));
            const VI code = search.places.codes(k);
            const VI found = hn::IfThenElse(hn::RebindMask(Ints(), isPoint), code, search.nearest.code(k));
            codes.set(k, searchLanes(sub, tries, k, code, borders[k], unsure, found));
            onGrid.set(k, hn::IfThenElseZero(hn::RebindMask(Ints(), isPoint), hn::Set(Ints(), 1)));
        }
    }

    void searchRuns(const SubBlocks& sub, const Tries& tries, RunSearch& search) const {
        HWY_ALIGN float scales[2 * mostLanes] = {};
        StoreAt(tries.scale, scales);
        for (const Run& run : search.places.runs()) {
            const std::size_t lane = run.place % mostLanes, k = run.place / mostLanes;
            const std::size_t first = static_cast<std::size_t>(tries.subBlocks[lane]) * largestGroup + k * digits;
            const CandidateLines lines(near.candidates(run.list), sub.roots + first, sub.products + first);
            search.nearest.set(run.place, SearchLines(lines, run.list.count, hn::LoadU(Floats(), scales + lane)));
        }
    }

    void addPoint(const SubBlocks& sub, const Tries& tries, std::size_t k, VI code, Sums<V>& s) const {
        VI twice = hn::ShiftLeft<1>(code);
        for (std::size_t i = 0; i < digits; ++i) {
            const V q = hn::ConvertTo(Floats(), hn::OrAnd(hn::Set(Ints(), 1), twice, hn::Set(Ints(), (2 << bits) - 2)));
            twice = hn::ShiftRight<bits>(twice);
            s.lx = hn::Add(s.lx, hn::Mul(own(tries, sub.wx + sub.b.at(k * digits + i)), q));
            s.l2 = hn::Add(s.l2, hn::Mul(hn::Mul(own(tries, sub.b.w + sub.b.at(k * digits + i)), q), q));
        }
    }

    int tryCount() const { return 2 * type.tries + 1; }

    // Where the outcomes of a sub-block begin, and how far apart they are.
    std::int32_t firstPlace(std::int32_t subBlock) const { return triesShareLanes ? subBlock * tryCount() : subBlock; }
    std::int32_t placeStep() const { return triesShareLanes ? 1 : static_cast<std::int32_t>(Lanes()); }

    // Lanes full of tries from place `first` on: the inverse scales around (2 · levels - 1) / reach.
    Tries triesFrom(int first, const float* reaches) const {
        Tries tries{{}, Number(0), Number(0), 1};
        HWY_ALIGN float numerators[mostLanes];
        int subBlock = triesShareLanes ? first / tryCount() : 0;
        int t = (first - firstPlace(subBlock)) / placeStep();
        for (std::size_t lane = 0; lane < Lanes(); ++lane) {
            tries.subBlocks[lane] = subBlock;
            numerators[lane] = static_cast<float>(2 * type.levels - 1) + static_cast<float>(t - type.tries) * type.step;
            if (!triesShareLanes || ++t == tryCount()) ++subBlock;
            if (triesShareLanes && t == tryCount()) t = 0;
            if (t == 0) tries.starts |= 2u << lane;
        }
        tries.inverse = hn::Div(hn::Load(Floats(), numerators), own(tries, reaches));
        tries.scale = hn::Div(Number(1), tries.inverse);
        return tries;
    }

    void tryAll(V reach, const SubBlocks& sub, Outcomes& out) const {
        HWY_ALIGN float reaches[mostLanes];
        StoreAt(reach, reaches);
        const std::size_t count = static_cast<std::size_t>(tryCount()) * Lanes();
        RunSearch search;
        PointArray codes, onGrid;
        for (std::size_t first = 0; first < count; first += Lanes()) {
            const Tries tries = triesFrom(static_cast<int>(first), reaches);
            const M active = activeIn(sub, tries);
            if constexpr (triesShareLanes) roundTogether(sub, tries, active, search, codes, onGrid);
            else roundApart(sub, tries, active, codes, onGrid);
            Sums<V> s{Number(0), Number(0)};
            for (std::size_t k = 0; k < points(); ++k) {
                const VI code = codes.get(k);
                addPoint(sub, tries, k, code, s);
                hn::Store(hn::Or(hn::Add(code, code), onGrid.get(k)), Ints(), out.points[k] + first);
            }
            StoreAt(s.lx, out.lx + first);
            StoreAt(s.l2, out.l2 + first);
        }
    }

    // Keeps the codes of the best try and returns their scale; of a sub-block without one, `start`.
    V searchScale(V reach, V start, SubBlocks& sub) const {
        Outcomes out;
        tryAll(reach, sub, out);
        V scale = start;
        V best = Number(0);
        VI place = hn::Mul(hn::Iota(Ints(), 0), hn::Set(Ints(), firstPlace(1)));
        VI bestPlace = hn::Set(Ints(), -1);
        for (int t = 0; t < tryCount(); ++t) {
            const Sums<V> s{hn::GatherIndex(Floats(), out.lx, place), hn::GatherIndex(Floats(), out.l2, place)};
            const M better = hn::And(hn::Gt(s.l2, Number(0)), hn::Gt(hn::Mul(s.lx, s.lx), hn::Mul(best, s.l2)));
            scale = hn::IfThenElse(better, hn::Div(s.lx, s.l2), scale);
            best = hn::IfThenElse(better, hn::Mul(scale, s.lx), best);
            bestPlace = hn::IfThenElse(hn::RebindMask(Ints(), better), place, bestPlace);
            place = hn::Add(place, hn::Set(Ints(), placeStep()));
        }
        const auto found = hn::Gt(bestPlace, hn::Set(Ints(), -1));
        bestPlace = hn::IfThenElseZero(found, bestPlace);
        for (std::size_t k = 0; k < points(); ++k) {
            const VI point = hn::GatherIndex(Ints(), out.points[k], bestPlace);
            sub.codes.set(k, hn::IfThenElse(found, hn::ShiftRight<1>(point), sub.codes.get(k)));
            sub.onGrid.set(k, hn::IfThenElse(found, hn::And(point, hn::Set(Ints(), 1)), sub.onGrid.get(k)));
        }
        return scale;
    }

    // With the scale found, points are rounded once more and the scale follows them.
    V refit(V scale, SubBlocks& sub) const {
        VI allOn = hn::Set(Ints(), 1);
        for (std::size_t k = 0; k < points(); ++k) allOn = hn::And(allOn, sub.onGrid.get(k));
        M refits = hn::Gt(scale, Number(0));
        if (!type.refitsAllPoints || type.refitsOnlyIfOff)
            refits = hn::And(refits, hn::RebindMask(Floats(), hn::Eq(allOn, hn::Zero(Ints()))));
        const Tries tries = OnePerSubBlock(hn::Div(Number(1), scale), scale);
        const M active = activeIn(sub, tries);
        Sums<V> s{Number(0), Number(0)};
        for (std::size_t k = 0; k < points(); ++k) {
            VI ignored = sub.onGrid.get(k), code = sub.codes.get(k);
            const M off = hn::RebindMask(Floats(), hn::Eq(ignored, hn::Zero(Ints())));
            const M wanted = type.refitsAllPoints ? refits : hn::And(refits, off);
            roundToGrid(sub, tries, k, hn::And(wanted, active), code, ignored);
            addPoint(sub, tries, k, code, s);
            sub.codes.set(k, code);
        }
        return hn::IfThenElse(hn::And(refits, hn::Gt(s.l2, Number(0))), hn::Div(s.lx, s.l2), scale);
    }

    // The scales of the sub-blocks with codes and signs in `sub`; not a number where a sub-block is skipped.
    V fit(SubBlocks& sub) const {
        V highest = sub.b.X(0);
        for (std::size_t i = 1; i < sub.b.size; ++i) highest = hn::IfThenElse(hn::Lt(highest, sub.b.X(i)), sub.b.X(i), highest);
        M empty = type.emptyBelow > 0 ? hn::Lt(highest, Number(type.emptyBelow)) : hn::Eq(highest, Number(0));
        V reach = highest;
        V scale = hn::Div(highest, Number(static_cast<float>(2 * type.levels - 1)));
        if (type.startsFromPositiveFit) {
            HWY_ALIGN std::int32_t unused[largestGroup * mostLanes];
            scale = FitPositive(sub.b, type.levels + 1, unused);
            reach = hn::Mul(scale, Number(static_cast<float>(type.levels)));
            empty = hn::Or(empty, hn::Le(reach, Number(0)));
        }
        StoreAt(hn::IfThenZeroElse(empty, Number(1)), sub.active);
        for (std::size_t k = 0; k < points(); ++k) {
            sub.codes.set(k, hn::Zero(Ints()));
            sub.onGrid.set(k, hn::Set(Ints(), type.flagsStartOnGrid ? 1 : 0));
        }
        scale = refit(searchScale(reach, scale, sub), sub);
        const auto negative = hn::RebindMask(Ints(), hn::Lt(scale, Number(0)));
        const VI all = hn::Set(Ints(), type.paritySigns ? 127 : 255);
        for (std::size_t k = 0; k < sub.b.size / 8; ++k)
            sub.signs.set(k, hn::IfThenElse(negative, hn::Xor(sub.signs.get(k), all), sub.signs.get(k)));
        return hn::Abs(scale);
    }
};

} // namespace
} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
