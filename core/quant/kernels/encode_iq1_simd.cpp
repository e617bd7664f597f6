// SPDX-License-Identifier: MIT
#include "core/quant/kernels/iq1.h"
#include "core/quant/kernels/row_encoders.h"

#include "core/tensor/block_layout.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/quant/kernels/encode_iq1_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/quant/kernels/batch-inl.h"
#include "core/quant/kernels/nearest_neighbor-inl.h"

// IQ1_S and IQ1_M: one sub-block a lane for the sorting and the cuts, one candidate a lane for the search among neighbors.
HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {
namespace {

using iq1::Levels;
using iq1::shiftDown;
using iq1::shiftUp;

constexpr std::size_t maxBlocks = 16; // super-blocks that are fitted together

// Numbers of all lanes, entry i at i · maxLanes; one more than there are elements, for prefix sums.
struct LaneTable {
    HWY_ALIGN float values[(largestGroup + 1) * maxLanes];
    V get(std::size_t i) const { return hn::Load(Floats(), values + i * maxLanes); }
    void set(std::size_t i, V value) { hn::Store(value, Floats(), values + i * maxLanes); }
};
struct LaneInts {
    HWY_ALIGN std::int32_t values[largestGroup * maxLanes];
    VI get(std::size_t i) const { return hn::Load(Ints(), values + i * maxLanes); }
    void set(std::size_t i, VI value) { hn::Store(value, Ints(), values + i * maxLanes); }
};

VI Number32(int value) { return hn::Set(Ints(), value); }
VI OneWhere(M mask) { return hn::IfThenElseZero(hn::RebindMask(Ints(), mask), Number32(1)); }
M Equals(VI a, VI b) { return hn::RebindMask(Floats(), hn::Eq(a, b)); }
M AtLeast(VI a, VI b) { return hn::Not(hn::RebindMask(Floats(), hn::Lt(a, b))); }

// The place of each element in its sub-block sorted by value; equal values (and both zeros) keep their order.
void Rank(const Batch<V>& b, LaneInts& ranks) {
    for (std::size_t i = 0; i < b.size; ++i) {
        const V x = b.X(i);
        VI before = hn::Zero(Ints());
        for (std::size_t j = 0; j < i; ++j) {
            const VI precedes = OneWhere(hn::Lt(x, b.X(j)));
            ranks.set(j, hn::Add(ranks.get(j), precedes));
            before = hn::Add(before, hn::Sub(Number32(1), precedes));
        }
        ranks.set(i, before);
    }
}

// The elements in sorted order.
void Order(std::size_t size, const LaneInts& ranks, LaneInts& order) {
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t lane = 0; lane < Lanes(); ++lane)
            order.values[static_cast<std::size_t>(ranks.values[i * maxLanes + lane]) * maxLanes + lane] =
                static_cast<std::int32_t>(i);
}

// values of the elements that `element` names, one a lane.
V Pick(const Batch<V>& b, const float* values, VI element) {
    const VI stride = Number32(static_cast<int>(b.at(1)));
    return hn::GatherIndex(Floats(), values, hn::Add(hn::Mul(element, stride), hn::Iota(Ints(), 0)));
}

M IsEmpty(const Batch<V>& b, float limit) {
    V highest = Number(0);
    for (std::size_t i = 0; i < b.size; ++i) highest = hn::Max(highest, hn::Abs(b.X(i)));
    return hn::Lt(highest, Number(limit));
}

// The best cuts so far. `cut1` is -1 until one was found.
struct Cuts {
    V scale, best;
    VI cut1, cut2, shifts;

    static Cuts none() { return {Number(0), Number(-std::numeric_limits<float>::max()), Number32(-1), Number32(-1), Number32(0)}; }

    HWY_INLINE void consider(V qx, V q2, std::size_t a, std::size_t b, int shift) {
        const M better = hn::And(hn::Gt(q2, Number(0)), hn::Gt(hn::Mul(qx, qx), hn::Mul(best, q2)));
        if (!AnyTrue(better)) return;
        const auto take = hn::RebindMask(Ints(), better);
        scale = hn::IfThenElse(better, hn::Div(qx, q2), scale);
        best = hn::IfThenElse(better, hn::Mul(scale, qx), best);
        cut1 = hn::IfThenElse(take, Number32(static_cast<int>(a)), cut1);
        cut2 = hn::IfThenElse(take, Number32(static_cast<int>(b)), cut2);
        shifts = hn::IfThenElse(take, Number32(shift), shifts);
    }
    M found() const { return AtLeast(cut1, Number32(0)); }
};

// Digits from the places in sorted order, mirrored where the scale is negative, which becomes positive.
struct Cut {
    V scale;
    VI shifts;
    LaneInts digits;
    Cut(const Batch<V>& b, const LaneInts& ranks, const Cuts& cuts, int allShifts) {
        const M negative = hn::Lt(cuts.scale, Number(0));
        const auto mirrored = hn::RebindMask(Ints(), negative);
        scale = hn::IfThenElse(negative, hn::Neg(cuts.scale), cuts.scale);
        shifts = hn::IfThenElse(mirrored, hn::Sub(Number32(allShifts), cuts.shifts), cuts.shifts);
        for (std::size_t i = 0; i < b.size; ++i) {
            const VI rank = ranks.get(i);
            const VI digit = hn::Add(OneWhere(AtLeast(rank, cuts.cut1)), OneWhere(AtLeast(rank, cuts.cut2)));
            digits.set(i, hn::IfThenElse(mirrored, hn::Sub(Number32(2), digit), digit));
        }
    }
};

float LevelAt(const Levels& levels, unsigned digit) { return digit < levels.size() ? levels[digit] : 0.0f; }

// Finds the point of each group of eight and puts its digits where a neighbor was taken.
struct PointSearch {
    const Grid& grid = gridIq1();
    TermPattern<8> up{[](unsigned digit) { return LevelAt(shiftUp, digit); }};
    TermPattern<8> down{[](unsigned digit) { return LevelAt(shiftDown, digit); }};

    // `x` and `weights` are the group's; up to a vector after them is read.
    unsigned neighbor(unsigned code, const float* x, const float* weights, float scale, bool isDown) const {
        DistanceTerms<8> terms;
        SetTerms<8>(x, weights, scale, isDown ? down : up, terms);
        return NearestCandidate<8>(grid, grid.neighborCodes(code), terms);
    }
};

VI CodeOf(const LaneInts& digits, std::size_t k) {
    VI code = hn::Zero(Ints());
    for (std::size_t i = 8; i-- > 0;) code = hn::Or(hn::ShiftLeft<2>(code), digits.get(8 * k + i));
    return code;
}

void SetDigits(VI code, std::size_t k, LaneInts& digits) {
    for (std::size_t i = 0; i < 8; ++i) {
        digits.set(8 * k + i, hn::And(code, Number32(3)));
        code = hn::ShiftRight<2>(code);
    }
}

// The sub-blocks of one batch: `x` and `weights` as they are in the row, where sub-block `first` is in lane 0.
struct Source {
    const float* x;
    const float* weights;
    std::size_t size;
    std::size_t first, count;
    const float* at(const float* values, std::size_t lane, std::size_t k) const { return values + (first + lane) * size + 8 * k; }
};

// Moves every code to its point, bit 0 … of `shiftOf(lane, k)` telling the shift. Gives the lanes in which a neighbor was needed.
template <class ShiftOf>
M MoveToPoints(const PointSearch& search, const Source& source, const Cut& cut, M active, ShiftOf shiftOf, LaneInts& codes) {
    HWY_ALIGN float scales[maxLanes];
    HWY_ALIGN float live[maxLanes];
    HWY_ALIGN float moved[maxLanes] = {};
    StoreAt(cut.scale, scales);
    StoreAt(hn::IfThenElseZero(active, Number(1)), live);
    for (std::size_t k = 0; k < source.size / 8; ++k) {
        codes.set(k, CodeOf(cut.digits, k));
        for (std::size_t lane = 0; lane < source.count; ++lane) {
            std::int32_t& code = codes.values[k * maxLanes + lane];
            if (live[lane] == 0 || search.grid.pointOf(static_cast<unsigned>(code)) >= 0) continue;
            moved[lane] = 1;
            code = static_cast<std::int32_t>(search.neighbor(static_cast<unsigned>(code), source.at(source.x, lane, k),
                                                             source.at(source.weights, lane, k), scales[lane], shiftOf(lane, k)));
        }
    }
    return hn::Gt(hn::Load(Floats(), moved), Number(0));
}

// The scale follows the points where a neighbor was taken. `deltaOf(k)` is the shift of group k in every lane.
template <class DeltaOf>
V Refit(const Batch<V>& b, const Cut& cut, M moved, DeltaOf deltaOf) {
    Sums<V> s{Number(0), Number(0)};
    for (std::size_t i = 0; i < b.size; ++i) {
        const V q = hn::Add(hn::ConvertTo(Floats(), hn::Sub(cut.digits.get(i), Number32(1))), deltaOf(i / 8));
        const V wq = hn::Mul(b.W(i), q);
        s.lx = hn::Add(s.lx, hn::Mul(wq, b.X(i)));
        s.l2 = hn::Add(s.l2, hn::Mul(wq, q));
    }
    const M usable = hn::And(moved, hn::And(hn::Gt(s.lx, Number(0)), hn::Gt(s.l2, Number(0))));
    return hn::IfThenElse(usable, hn::Div(s.lx, s.l2), cut.scale);
}

V DeltaWhere(M down) { return hn::IfThenElse(down, Number(-0.125f), Number(0.125f)); }

// ---- IQ1_S

// The part of the sums that one cut decides, for both shifts.
struct SidesS {
    V x[2], w[2];
};

// (x · q, w · q · q) of one level.
SidesS Side(V x, V w, std::size_t level) {
    const V up = Number(shiftUp[level]);
    const V down = Number(shiftDown[level]);
    return {{hn::Mul(x, up), hn::Mul(x, down)}, {hn::Mul(hn::Mul(w, up), up), hn::Mul(hn::Mul(w, down), down)}};
}

Cuts SearchCutsS(const LaneTable& sumX, const LaneTable& sumW) {
    LaneTable upperX[2], upperW[2]; // by shift
    for (std::size_t b = 0; b <= 32; ++b) {
        const SidesS upper = Side(hn::Sub(sumX.get(32), sumX.get(b)), hn::Sub(sumW.get(32), sumW.get(b)), 2);
        for (std::size_t shift = 0; shift < 2; ++shift) {
            upperX[shift].set(b, upper.x[shift]);
            upperW[shift].set(b, upper.w[shift]);
        }
    }
    Cuts cuts = Cuts::none();
    for (std::size_t a = 0; a <= 32; ++a) {
        const SidesS lower = Side(hn::Sub(sumX.get(a), sumX.get(0)), hn::Sub(sumW.get(a), sumW.get(0)), 0);
        for (std::size_t b = a; b <= 32; ++b) {
            const SidesS middle = Side(hn::Sub(sumX.get(b), sumX.get(a)), hn::Sub(sumW.get(b), sumW.get(a)), 1);
            for (int shift = 0; shift < 2; ++shift) {
                const V qx = hn::Add(hn::Add(lower.x[shift], middle.x[shift]), upperX[shift].get(b));
                const V q2 = hn::Add(hn::Add(lower.w[shift], middle.w[shift]), upperW[shift].get(b));
                cuts.consider(qx, q2, a, b, shift);
            }
        }
    }
    return cuts;
}

void FitS(const PointSearch& search, const Source& source, iq1::SubBlockS* subs) {
    Batch<V> b;
    b.size = 32;
    const Groups<V> places(32, source.first, source.count);
    b.load(places, source.x, b.x);
    b.load(places, source.weights, b.w);
    LaneInts ranks, order;
    Rank(b, ranks);
    Order(32, ranks, order);
    LaneTable sumX, sumW;
    sumX.set(0, Number(0));
    sumW.set(0, Number(0));
    for (std::size_t i = 0; i < 32; ++i) {
        const V w = Pick(b, b.w, order.get(i));
        sumX.set(i + 1, hn::Add(sumX.get(i), hn::Mul(w, Pick(b, b.x, order.get(i)))));
        sumW.set(i + 1, hn::Add(sumW.get(i), w));
    }
    const Cuts cuts = SearchCutsS(sumX, sumW);
    const M active = hn::And(hn::Not(IsEmpty(b, 1e-12f)), cuts.found());
    Cut cut(b, ranks, cuts, 1);
    HWY_ALIGN std::int32_t shifts[maxLanes];
    hn::Store(cut.shifts, Ints(), shifts);
    LaneInts codes;
    const M moved =
        MoveToPoints(search, source, cut, active, [&](std::size_t lane, std::size_t) { return shifts[lane] != 0; }, codes);
    for (std::size_t k = 0; k < 4; ++k) SetDigits(codes.get(k), k, cut.digits);
    const V delta = DeltaWhere(Equals(cut.shifts, Number32(1)));
    float scales[maxLanes];
    StoreLanes(hn::IfThenElseZero(active, Refit(b, cut, moved, [&](std::size_t) { return delta; })), source.count, scales);
    float live[maxLanes];
    StoreLanes(hn::IfThenElseZero(active, Number(1)), source.count, live);
    for (std::size_t lane = 0; lane < source.count; ++lane) {
        iq1::SubBlockS& sub = subs[source.first + lane];
        sub = {};
        if (live[lane] == 0) continue;
        sub.scale = scales[lane];
        sub.down = shifts[lane] != 0;
        for (std::size_t k = 0; k < 4; ++k)
            sub.points[k] =
                static_cast<std::uint16_t>(search.grid.pointOf(static_cast<unsigned>(codes.values[k * maxLanes + lane])));
    }
}

// ---- IQ1_M

// Prefix sums of one half of eight in the order of all sixteen.
struct HalfSums {
    LaneTable x, w;
};

void PrefixSums(const Batch<V>& b, const LaneInts& order, HalfSums (&halves)[2]) {
    for (HalfSums& half : halves) {
        half.x.set(0, Number(0));
        half.w.set(0, Number(0));
    }
    for (std::size_t i = 0; i < 16; ++i) {
        const VI element = order.get(i);
        const V w = Pick(b, b.w, element);
        const V wx = hn::Mul(w, Pick(b, b.x, element));
        const M second = AtLeast(element, Number32(8));
        for (std::size_t h = 0; h < 2; ++h) {
            const M own = h == 1 ? second : hn::Not(second);
            halves[h].x.set(i + 1, hn::IfThenElse(own, hn::Add(halves[h].x.get(i), wx), halves[h].x.get(i)));
            halves[h].w.set(i + 1, hn::IfThenElse(own, hn::Add(halves[h].w.get(i), w), halves[h].w.get(i)));
        }
    }
}

// The contribution of the two cuts to Σ w·q², and the parts that no cut changes.
struct SquareFactors {
    float all, cut1, cut2;
};
constexpr SquareFactors FactorsOf(const Levels& q) { return {q[2], q[0] * q[0] - q[1] * q[1], q[1] * q[1] - q[2] * q[2]}; }
constexpr SquareFactors factors[2] = {FactorsOf(shiftUp), FactorsOf(shiftDown)};

Cuts SearchCutsM(const HalfSums (&halves)[2]) {
    V allX[2][2], allW[2][2]; // half, shift
    for (std::size_t h = 0; h < 2; ++h)
        for (std::size_t z = 0; z < 2; ++z) {
            const V top = Number(factors[z].all);
            allX[h][z] = hn::Mul(halves[h].x.get(16), top);
            allW[h][z] = hn::Mul(hn::Mul(halves[h].w.get(16), top), top);
        }
    Cuts cuts = Cuts::none();
    for (std::size_t a = 0; a <= 16; ++a) {
        V lowerW[2][2];
        for (std::size_t h = 0; h < 2; ++h)
            for (std::size_t z = 0; z < 2; ++z)
                lowerW[h][z] = hn::Add(allW[h][z], hn::Mul(halves[h].w.get(a), Number(factors[z].cut1)));
        for (std::size_t b = a; b <= 16; ++b) {
            V qx[2][2], q2[2][2];
            for (std::size_t h = 0; h < 2; ++h) {
                const V below = hn::Add(halves[h].x.get(a), halves[h].x.get(b));
                for (std::size_t z = 0; z < 2; ++z) {
                    qx[h][z] = hn::Sub(allX[h][z], below);
                    q2[h][z] = hn::Add(lowerW[h][z], hn::Mul(halves[h].w.get(b), Number(factors[z].cut2)));
                }
            }
            for (std::size_t shifts = 0; shifts < 4; ++shifts)
                cuts.consider(hn::Add(qx[0][shifts >> 1], qx[1][shifts & 1]), hn::Add(q2[0][shifts >> 1], q2[1][shifts & 1]), a, b,
                              static_cast<int>(shifts));
        }
    }
    return cuts;
}

void FitM(const PointSearch& search, const Source& source, iq1::SubBlockM* subs) {
    Batch<V> b;
    b.size = 16;
    const Groups<V> places(16, source.first, source.count);
    b.load(places, source.x, b.x);
    b.load(places, source.weights, b.w);
    LaneInts ranks, order;
    Rank(b, ranks);
    Order(16, ranks, order);
    HalfSums halves[2];
    PrefixSums(b, order, halves);
    const Cuts cuts = SearchCutsM(halves);
    const M active = hn::And(hn::Not(IsEmpty(b, 1e-7f)), cuts.found());
    Cut cut(b, ranks, cuts, 3);
    HWY_ALIGN std::int32_t shifts[maxLanes];
    hn::Store(cut.shifts, Ints(), shifts);
    const auto shiftOf = [&](std::size_t lane, std::size_t k) { return (shifts[lane] >> (1 - k) & 1) != 0; };
    LaneInts codes;
    const M moved = MoveToPoints(search, source, cut, active, shiftOf, codes);
    for (std::size_t k = 0; k < 2; ++k) SetDigits(codes.get(k), k, cut.digits);
    const V deltas[2] = {DeltaWhere(AtLeast(cut.shifts, Number32(2))),
                         DeltaWhere(Equals(hn::And(cut.shifts, Number32(1)), Number32(1)))};
    float scales[maxLanes];
    StoreLanes(Refit(b, cut, moved, [&](std::size_t k) { return deltas[k]; }), source.count, scales);
    float live[maxLanes];
    StoreLanes(hn::IfThenElseZero(active, Number(1)), source.count, live);
    for (std::size_t lane = 0; lane < source.count; ++lane) {
        iq1::SubBlockM& sub = subs[source.first + lane];
        sub = {};
        if (live[lane] == 0) continue;
        sub.scale = scales[lane];
        sub.shifts = static_cast<unsigned>(shifts[lane]);
        for (std::size_t k = 0; k < 2; ++k)
            sub.points[k] =
                static_cast<std::uint16_t>(search.grid.pointOf(static_cast<unsigned>(codes.values[k * maxLanes + lane])));
    }
}

// ---- rows

// Super-blocks of a row with their weights x², or u·sqrt(σ² + x²) with column weights. A vector of each may be read past the end.
struct RowPart {
    HWY_ALIGN float x[256 * maxBlocks + maxLanes];
    HWY_ALIGN float weights[256 * maxBlocks + maxLanes];
    std::size_t blocks;

    RowPart(const RowInput& row, std::size_t firstBlock) : blocks(std::min(maxBlocks, row.x.size() / 256 - firstBlock)) {
        std::copy_n(row.x.data() + 256 * firstBlock, 256 * blocks, x);
        float sums[maxBlocks];
        SumSquares(x, 256, blocks, sums);
        for (std::size_t i = 0; i < 256 * blocks; i += Lanes()) {
            const V value = hn::Load(Floats(), x + i);
            const V square = hn::Mul(value, value);
            const V mean = Number(2 * sums[i / 256] / 256);
            V w = square;
            if (!row.weights.empty())
                w = hn::Mul(hn::LoadU(Floats(), row.weights.data() + 256 * firstBlock + i), hn::Sqrt(hn::Add(mean, square)));
            hn::Store(w, Floats(), weights + i);
        }
        std::fill_n(x + 256 * blocks, maxLanes, 0.0f);
        std::fill_n(weights + 256 * blocks, maxLanes, 0.0f);
    }
};

template <class SubBlock, std::size_t size, class Fit, class Store>
void EncodeRow(const RowInput& row, std::size_t blockBytes, Fit fit, Store storeBlock) {
    constexpr std::size_t subBlocks = 256 / size;
    const PointSearch search;
    for (std::size_t firstBlock = 0; firstBlock < row.x.size() / 256; firstBlock += maxBlocks) {
        const RowPart part(row, firstBlock);
        std::array<std::array<SubBlock, subBlocks>, maxBlocks> subs;
        ForBatches<V>(part.blocks * subBlocks, [&](std::size_t first, std::size_t count) {
            fit(search, Source{part.x, part.weights, size, first, count}, subs[0].data());
        });
        for (std::size_t b = 0; b < part.blocks; ++b) storeBlock(part, b, subs[b], row.out + (firstBlock + b) * blockBytes);
    }
}

void EncodeS(const RowInput& row) {
    EncodeRow<iq1::SubBlockS, 32>(row, layout::IQ1_S::bytes, FitS,
                                  [](const RowPart&, std::size_t, const auto& subs, std::byte* out) { iq1::storeS(subs, out); });
}

void EncodeM(const RowInput& row) {
    EncodeRow<iq1::SubBlockM, 16>(row, layout::IQ1_M::bytes, FitM,
                                  [](const RowPart& part, std::size_t b, const auto& subs, std::byte* out) {
                                      iq1::storeM(subs, {part.x + 256 * b, 256}, {part.weights + 256 * b, 256}, out);
                                  });
}

RowEncoder Iq1Forms(Dtype dtype) {
    switch (dtype) {
    case Dtype::IQ1_S: return EncodeS;
    case Dtype::IQ1_M: return EncodeM;
    default: return nullptr;
    }
}

} // namespace
} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::quant {

HWY_EXPORT(Iq1Forms);

RowEncoder iq1Encoder(Dtype dtype) { return HWY_DYNAMIC_DISPATCH(Iq1Forms)(dtype); }

} // namespace wb::quant
#endif
