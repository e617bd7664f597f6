// SPDX-License-Identifier: MIT
// The search of IQ2 and IQ3 for scales and points. Included once per SIMD target.
#if defined(WB_QUANT_LATTICE_SEARCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_QUANT_LATTICE_SEARCH_INL_H
#undef WB_QUANT_LATTICE_SEARCH_INL_H
#else
#define WB_QUANT_LATTICE_SEARCH_INL_H
#endif

#include "core/quant/kernels/fit_positive-inl.h"
#include "core/quant/kernels/lattice_sub_blocks-inl.h"
#include "core/quant/kernels/line_search-inl.h"
#include "core/quant/kernels/nearest_neighbor-inl.h"
#include "core/quant/kernels/runs-inl.h"

#include <bit>

// One try of a scale a lane for the roundings and sums. The tries of a sub-block lie side by side, since they round a point to like
// codes: its list of neighbors is searched once for a run of them.
HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {
namespace { // so that what is called once is inlined

// A try a lane: of which sub-block, and with which scale.
struct Tries {
    VI subBlocks;
    V inverse, scale;
};

// The tries of all sub-blocks in the lanes, one sub-block's after another's.
struct TryRow {
    std::size_t count;
    HWY_ALIGN std::int32_t subBlocks[maxTries];
    HWY_ALIGN float inverses[maxTries];
    HWY_ALIGN float scales[maxTries + maxLanes] = {}; // so that a vector can be read from any on
    TryBits starts{};                                 // the first of every sub-block

    Tries at(std::size_t first) const {
        return {hn::Load(Ints(), subBlocks + first), hn::Load(Floats(), inverses + first), hn::Load(Floats(), scales + first)};
    }
};

// What became of them.
struct Outcomes {
    HWY_ALIGN float lx[maxTries] = {};
    HWY_ALIGN float l2[maxTries] = {};
    HWY_ALIGN std::int32_t points[maxPoints][maxTries]; // twice the code, and 1 where it needed no neighbor
};

// State of one point in all tries.
struct PointRow {
    CodeRow codes;
    std::array<std::uint32_t, 31> borders; // of every vector the tries that rounding decides
    NearestRow nearest;
};

template <unsigned digits>
struct Search {
    using Terms = DistanceTerms<digits>;
    static constexpr int bits = static_cast<int>(Terms::bits);

    const LatticeType& type;
    const Grid& grid;
    const NearLists& near;
    TermPattern<digits> pattern{[](unsigned digit) { return static_cast<float>(2 * digit + 1); }};

    std::size_t points() const { return type.subBlock / digits; }

    // The lanes' own of one number a sub-block.
    static V own(const Tries& tries, const float* numbers) {
        return hn::TableLookupLanes(hn::Load(Floats(), numbers), hn::IndicesFromVec(Floats(), tries.subBlocks));
    }

    // The code of a point in all lanes, and where an element is so near to the middle of two levels that rounding decides: levels
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
    // nearest neighbors.
    VI searchLanes(const SubBlocks& sub, const Tries& tries, std::size_t k, VI rounded, std::uint32_t border, std::uint32_t lanes,
                   VI found) const {
        if (lanes == 0) return found;
        HWY_ALIGN std::int32_t codes[maxLanes], results[maxLanes];
        hn::Store(rounded, Ints(), codes);
        hn::Store(found, Ints(), results);
        HWY_ALIGN std::int32_t subBlocks[maxLanes];
        HWY_ALIGN float scales[maxLanes];
        hn::Store(tries.subBlocks, Ints(), subBlocks);
        StoreAt(tries.scale, scales);
        for (; lanes != 0; lanes &= lanes - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
            const auto code = static_cast<unsigned>(codes[lane]);
            results[lane] = codes[lane];
            if (grid.pointOf(code) >= 0) continue;
            const auto candidates = (border >> lane & 1) != 0 ? grid.neighborCodes(code) : near.of(code);
            const auto subBlock = static_cast<std::size_t>(subBlocks[lane]);
            results[lane] = static_cast<std::int32_t>(neighbor(sub, candidates, subBlock, k, scales[lane]));
        }
        return hn::Load(Ints(), results);
    }

    unsigned neighbor(const SubBlocks& sub, std::span<const std::uint16_t> candidates, std::size_t subBlock, std::size_t k,
                      float scale) const {
        const std::size_t first = subBlock * largestGroup + k * digits;
        Terms terms;
        SetTerms<digits>(sub.y + first, sub.roots + first, scale, pattern, terms);
        return NearestCandidate<digits>(grid, candidates, terms);
    }

    // Finds the point of the grid for point k of every try: itself where it is one, else its nearest neighbor, which the tries of
    // a run search together. Where that is not sure, a try searches by itself.
    void searchPoint(const SubBlocks& sub, const TryRow& tries, std::size_t k, PointRow& row) const {
        for (std::size_t first = 0; first < tries.count; first += Lanes()) {
            const Rounded rounded = round(sub, tries.at(first), k);
            row.codes.set(first, rounded.code);
            row.borders[first / Lanes()] = MaskBits(rounded.border);
        }
        row.codes.forRuns(tries.starts, tries.count, [&](std::size_t first, std::size_t count, unsigned code) {
            const NearLists::List list = near.list(code);
            if (list.isPoint) row.nearest.setPoint(first, count, code);
            else searchRun(sub, tries, k, first, count, list, row.nearest);
        });
    }

    void searchRun(const SubBlocks& sub, const TryRow& tries, std::size_t k, std::size_t first, std::size_t count,
                   NearLists::List list, NearestRow& nearest) const {
        const auto subBlock = static_cast<std::size_t>(tries.subBlocks[first]);
        if (sub.active[subBlock] == 0) return;
        const std::size_t element = subBlock * largestGroup + k * digits;
        const CandidateLines<digits> lines(near.candidates(list), sub.roots + element, sub.products + element);
        for (std::size_t i = first; i < first + count; i += Lanes())
            nearest.set(i, SearchLines(lines, list.count, hn::LoadU(Floats(), tries.scales + i)));
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

    // The inverse scales around (2 · levels - 1) / reach.
    void setTries(V reach, TryRow& row) const {
        row.count = static_cast<std::size_t>(tryCount()) * Lanes();
        HWY_ALIGN float reaches[maxLanes];
        StoreAt(reach, reaches);
        for (std::size_t i = 0, subBlock = 0; subBlock < Lanes(); ++subBlock) {
            row.starts[i / 64] |= std::uint64_t{1} << i % 64;
            for (int t = -type.tries; t <= type.tries; ++t, ++i) {
                row.subBlocks[i] = static_cast<std::int32_t>(subBlock);
                row.inverses[i] = static_cast<float>(2 * type.levels - 1) + static_cast<float>(t) * type.step;
            }
        }
        for (std::size_t first = 0; first < row.count; first += Lanes()) {
            const Tries tries = row.at(first);
            const V inverse = hn::Div(tries.inverse, own(tries, reaches));
            StoreAt(inverse, row.inverses + first);
            StoreAt(hn::Div(Number(1), inverse), row.scales + first);
        }
    }

    void tryAll(const TryRow& row, const SubBlocks& sub, Outcomes& out) const {
        PointRow point;
        for (std::size_t k = 0; k < points(); ++k) {
            searchPoint(sub, row, k, point);
            for (std::size_t first = 0; first < row.count; first += Lanes()) takePoint(sub, row.at(first), k, point, first, out);
        }
    }

    // Adds a vector of tries of point k to the outcomes.
    void takePoint(const SubBlocks& sub, const Tries& tries, std::size_t k, const PointRow& row, std::size_t first,
                   Outcomes& out) const {
        const VI rounded = row.codes.get(first);
        const M sure = row.nearest.sure(first, own(tries, sub.energies + k * maxLanes), tries.scale);
        const std::uint32_t border = row.borders[first / Lanes()];
        const std::uint32_t unsure = MaskBits(activeIn(sub, tries)) & (border | ~MaskBits(sure));
        const VI code = searchLanes(sub, tries, k, rounded, border, unsure, row.nearest.code(first));
        const VI onGrid = hn::IfThenElseZero(hn::Eq(code, rounded), hn::Set(Ints(), 1));
        hn::Store(hn::Or(hn::Add(code, code), onGrid), Ints(), out.points[k] + first);
        Sums<V> s{hn::Load(Floats(), out.lx + first), hn::Load(Floats(), out.l2 + first)};
        addPoint(sub, tries, k, code, s);
        StoreAt(s.lx, out.lx + first);
        StoreAt(s.l2, out.l2 + first);
    }

    // Keeps the codes of the best try and returns their scale; of a sub-block without one, `start`.
    V searchScale(V reach, V start, SubBlocks& sub) const {
        TryRow tries;
        setTries(reach, tries);
        Outcomes out;
        tryAll(tries, sub, out);
        V scale = start;
        V best = Number(0);
        VI place = hn::Mul(hn::Iota(Ints(), 0), hn::Set(Ints(), tryCount()));
        VI bestPlace = hn::Set(Ints(), -1);
        for (int t = 0; t < tryCount(); ++t) {
            const Sums<V> s{hn::GatherIndex(Floats(), out.lx, place), hn::GatherIndex(Floats(), out.l2, place)};
            const M better = hn::And(hn::Gt(s.l2, Number(0)), hn::Gt(hn::Mul(s.lx, s.lx), hn::Mul(best, s.l2)));
            scale = hn::IfThenElse(better, hn::Div(s.lx, s.l2), scale);
            best = hn::IfThenElse(better, hn::Mul(scale, s.lx), best);
            bestPlace = hn::IfThenElse(hn::RebindMask(Ints(), better), place, bestPlace);
            place = hn::Add(place, hn::Set(Ints(), 1));
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

    // With the scale found, points are rounded again and the scale follows them.
    V refit(V scale, SubBlocks& sub) const {
        VI allOn = hn::Set(Ints(), 1);
        for (std::size_t k = 0; k < points(); ++k) allOn = hn::And(allOn, sub.onGrid.get(k));
        M refits = hn::Gt(scale, Number(0));
        if (!type.refitsAllPoints || type.refitsOnlyIfOff)
            refits = hn::And(refits, hn::RebindMask(Floats(), hn::Eq(allOn, hn::Zero(Ints()))));
        const Tries tries{hn::Iota(Ints(), 0), hn::Div(Number(1), scale), scale};
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
            HWY_ALIGN std::int32_t unused[largestGroup * maxLanes];
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
