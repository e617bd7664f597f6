// SPDX-License-Identifier: MIT
#include "core/quant/lattice.h"
#include "core/quant/row_encoders.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/quant/encode_lattice_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/quant/block_codes-inl.h"
#include "core/quant/fits-inl.h"
#include "core/quant/line_search-inl.h"
#include "core/quant/nearest_neighbour-inl.h"
#include "core/quant/runs-inl.h"

#include <bit>

// IQ2 and IQ3: one try of a scale a lane for the roundings and sums. Among neighbours IQ2 searches with one candidate a lane, IQ3,
// whose points round to like codes in many tries, with a run of tries.
HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {
namespace {

using scalar::LatticeFit;
using scalar::LatticeForm;
using scalar::LatticeType;

constexpr std::size_t mostBlocks = 16; // super-blocks that are fitted together

// The sub-blocks in the lanes.
struct SubBlocks {
    Batch<V> b; // magnitudes and weights
    HWY_ALIGN float wx[largestGroup * mostLanes]; // their products, as in the batch
    // The same magnitudes, the roots of the weights, which weigh distances to neighbours, and 2 · root · magnitude, sub-block after
    // sub-block; what lies behind them is read but not used.
    HWY_ALIGN float y[(largestGroup + 1) * mostLanes] = {};
    HWY_ALIGN float roots[(largestGroup + 1) * mostLanes] = {};
    HWY_ALIGN float products[(largestGroup + 1) * mostLanes] = {};
    HWY_ALIGN float energies[mostPoints * mostLanes]; // Σ root · magnitude² of a point
    PointArray signs; // bits, one number a group of eight
    PointArray codes;
    PointArray onGrid;                 // 1 where the code needed no neighbour
    HWY_ALIGN float active[mostLanes]; // 1 where the sub-block is not skipped
};

VI BitOf(M mask, unsigned bit) { return hn::IfThenElseZero(hn::RebindMask(Ints(), mask), hn::Set(Ints(), 1 << bit)); }

// Lanes with an odd number of bits among the low eight.
M OddParity(VI bits) {
    bits = hn::Xor(bits, hn::ShiftRight<4>(bits));
    bits = hn::Xor(bits, hn::ShiftRight<2>(bits));
    bits = hn::And(hn::Xor(bits, hn::ShiftRight<1>(bits)), hn::Set(Ints(), 1));
    return hn::RebindMask(Floats(), hn::Eq(bits, hn::Set(Ints(), 1)));
}

// Takes the signs of a group of eight away. Where seven bits must tell all eight, the element that costs least takes the wrong one.
VI TakeSigns(bool parity, Batch<V>& b, std::size_t k) {
    VI signs = hn::Zero(Ints());
    V least = Number(0);
    VI cheapest = hn::Zero(Ints());
    for (unsigned i = 0; i < 8; ++i) {
        const V x = b.X(8 * k + i);
        const V cost = hn::Mul(hn::Mul(b.W(8 * k + i), x), x);
        const M cheaper = hn::Lt(cost, least);
        if (i == 0) least = cost;
        else least = hn::IfThenElse(cheaper, cost, least);
        if (i > 0) cheapest = hn::IfThenElse(hn::RebindMask(Ints(), cheaper), hn::Set(Ints(), static_cast<int>(i)), cheapest);
        const M negative = hn::Lt(x, Number(0));
        signs = hn::Or(signs, BitOf(negative, i));
        StoreAt(hn::IfThenElse(negative, hn::Neg(x), x), b.x + b.at(8 * k + i));
    }
    if (!parity) return signs;
    const M odd = OddParity(signs);
    for (unsigned i = 0; i < 8; ++i) {
        const M flipped = hn::And(odd, hn::RebindMask(Floats(), hn::Eq(cheapest, hn::Set(Ints(), static_cast<int>(i)))));
        signs = hn::Xor(signs, BitOf(flipped, i));
        const V y = b.X(8 * k + i);
        StoreAt(hn::IfThenElse(flipped, hn::Neg(y), y), b.x + b.at(8 * k + i));
    }
    return hn::And(signs, hn::Set(Ints(), 127));
}

// Fills what SubBlocks has once more, from the batch.
void SpreadSubBlocks(std::size_t digits, SubBlocks& sub) {
    for (std::size_t i = 0; i < sub.b.size; ++i) {
        StoreAt(hn::Mul(sub.b.W(i), sub.b.X(i)), sub.wx + sub.b.at(i));
        const V y = sub.b.X(i), root = hn::Sqrt(sub.b.W(i)), product = hn::Mul(hn::Mul(Number(2), root), y);
        HWY_ALIGN float lanes[3][mostLanes];
        StoreAt(y, lanes[0]);
        StoreAt(root, lanes[1]);
        StoreAt(product, lanes[2]);
        for (std::size_t lane = 0; lane < Lanes(); ++lane) {
            sub.y[lane * largestGroup + i] = lanes[0][lane];
            sub.roots[lane * largestGroup + i] = lanes[1][lane];
            sub.products[lane * largestGroup + i] = lanes[2][lane];
        }
        float* const energy = sub.energies + i / digits * mostLanes;
        const V before = i % digits == 0 ? Number(0) : hn::Load(Floats(), energy);
        StoreAt(hn::MulAdd(hn::Mul(root, y), y, before), energy);
    }
}

void Prepare(const LatticeType& type, const Groups<V>& places, const float* x, const float* columns, V meanSquare, SubBlocks& sub) {
    sub.b.size = type.subBlock;
    sub.b.load(places, x, sub.b.x);
    if (columns) sub.b.load(places, columns, sub.b.w);
    for (std::size_t i = 0; i < sub.b.size; ++i) {
        const V square = hn::Mul(sub.b.X(i), sub.b.X(i));
        V w = type.plainMean != 0 ? hn::Add(hn::Mul(Number(type.plainMean), meanSquare), square) : square;
        if (columns) w = hn::Mul(sub.b.W(i), hn::Sqrt(hn::Add(meanSquare, square)));
        StoreAt(w, sub.b.w + sub.b.at(i));
    }
    for (std::size_t k = 0; k < sub.b.size / 8; ++k) sub.signs.set(k, TakeSigns(type.paritySigns, sub.b, k));
    SpreadSubBlocks(type.grid().digits(), sub);
}

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

// What was found for a run of super-blocks.
struct Run {
    std::array<LatticeFit, mostBlocks> fits;
    std::array<std::array<float, 16>, mostBlocks> scales{};
};

void Keep(const LatticeType& type, const Grid& grid, const SubBlocks& sub, const float* scales, std::size_t first,
          std::size_t count, Run& run) {
    const std::size_t subBlocks = 256 / type.subBlock;
    const std::size_t points = type.subBlock / grid.digits();
    for (std::size_t lane = 0; lane < count; ++lane) {
        const std::size_t b = (first + lane) % subBlocks;
        LatticeFit& fit = run.fits[(first + lane) / subBlocks];
        fit.skipped[b] = sub.active[lane] == 0;
        if (fit.skipped[b]) continue;
        run.scales[(first + lane) / subBlocks][b] = scales[lane];
        for (std::size_t k = 0; k < points; ++k) {
            const int point = grid.pointOf(static_cast<unsigned>(sub.codes.values[k * mostLanes + lane]));
            fit.points[b * points + k] = static_cast<std::uint16_t>(std::max(point, 0));
        }
        for (std::size_t k = 0; k < type.subBlock / 8; ++k)
            fit.signs[b * type.subBlock / 8 + k] = static_cast<std::uint8_t>(sub.signs.values[k * mostLanes + lane]);
    }
}

template <unsigned digits>
void EncodeRun(const LatticeForm& form, const NearLists& near, const float* x, const float* columns, std::size_t blocks, std::byte* out) {
    const LatticeType& type = form.type;
    const Search<digits> search{type, type.grid(), near};
    float means[mostBlocks];
    SumSquares(x, 256, blocks, means);
    for (std::size_t b = 0; b < blocks; ++b) means[b] = type.meanSquareFactor * means[b] / 256;
    Run run;
    const std::size_t subBlocks = 256 / type.subBlock;
    ForBatches<V>(blocks * subBlocks, [&](std::size_t first, std::size_t count) {
        SubBlocks sub;
        const Groups<V> places(type.subBlock, first, count);
        Prepare(type, places, x, columns, places.loadShared(means, type.subBlock, subBlocks), sub);
        float scales[mostLanes];
        StoreLanes(search.fit(sub), count, scales);
        Keep(type, search.grid, sub, scales, first, count, run);
    });
    for (std::size_t b = 0; b < blocks; ++b) {
        setScales(type, std::span(run.scales[b]).first(subBlocks), run.fits[b]);
        form.store(run.fits[b], out + b * form.bytes);
    }
}

template <Dtype dtype, unsigned digits>
void Encode(const RowInput& row) {
    const auto forms = scalar::latticeForms();
    const LatticeForm& form = *std::ranges::find(forms, dtype, &LatticeForm::dtype);
    static const NearLists near(form.type.grid(), DistanceTerms<digits>::bits, std::max<std::size_t>(Lanes(), 8));
    const std::size_t blocks = row.x.size() / 256;
    for (std::size_t first = 0; first < blocks; first += mostBlocks)
        EncodeRun<digits>(form, near, row.x.data() + 256 * first, row.weights.empty() ? nullptr : row.weights.data() + 256 * first,
                          std::min(mostBlocks, blocks - first), row.out + first * form.bytes);
}

RowEncoder LatticeForms(Dtype dtype) {
    switch (dtype) {
    case Dtype::IQ2_XXS: return Encode<Dtype::IQ2_XXS, 8>;
    case Dtype::IQ2_XS: return Encode<Dtype::IQ2_XS, 8>;
    case Dtype::IQ2_S: return Encode<Dtype::IQ2_S, 8>;
    case Dtype::IQ3_XXS: return Encode<Dtype::IQ3_XXS, 4>;
    case Dtype::IQ3_S: return Encode<Dtype::IQ3_S, 4>;
    default: return nullptr;
    }
}

} // namespace
} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::quant {

HWY_EXPORT(LatticeForms);

RowEncoder latticeEncoder(Dtype dtype) { return HWY_DYNAMIC_DISPATCH(LatticeForms)(dtype); }

} // namespace wb::quant
#endif
