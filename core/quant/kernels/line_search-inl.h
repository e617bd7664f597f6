// SPDX-License-Identifier: MIT
// The search among candidates for many scales at once. Included once per SIMD target.
#if defined(WB_QUANT_LINE_SEARCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_QUANT_LINE_SEARCH_INL_H
#undef WB_QUANT_LINE_SEARCH_INL_H
#else
#define WB_QUANT_LINE_SEARCH_INL_H
#endif

#include "core/quant/kernels/lanes-inl.h"
#include "core/quant/kernels/near_lists.h"

#include <cstring>
#include <limits>
#include <span>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {

// Candidates as lines: at scale s the distance Σ weight · (s · level - x)² to one is s · (s · slope - offset), and Σ weight · x²
// for all of them, so that every further scale costs one multiplication a candidate. Lines come in eights; those past the last
// candidate rise faster, so that they are never the nearest.
template <unsigned digits>
struct CandidateLines {
    static constexpr unsigned digitBits = digits == 8 ? 2 : 3;
    static constexpr std::size_t longest = digits == 8 ? NearLists::maxOfIq2 : NearLists::maxOfIq3;
    static constexpr std::size_t most = (longest + maxLanes - 1) / maxLanes * maxLanes;
    HWY_ALIGN float slopes[most];       // Σ weight · level²
    HWY_ALIGN float offsets[most];      // Σ product · level
    HWY_ALIGN std::int32_t codes[most]; // digit d stands for level 2d + 1

    // Of up to `most` candidates, which can be read in eights and whole vectors, the last one again after the last. Products
    // are 2 · weight · x.
    CandidateLines(std::span<const std::uint16_t> candidates, const float* weights, const float* products) {
        const Ints di;
        const hn::Rebind<std::uint16_t, Floats> shorts;
        const VI last = hn::Set(di, static_cast<int>(candidates.size()) - 1);
        for (std::size_t c = 0; c < candidates.size() || c % 8 != 0; c += Lanes()) {
            const VI code = hn::PromoteTo(di, hn::LoadU(shorts, candidates.data() + c));
            V slope = Number(0), offset = Number(0);
            addElements(code, weights, products, slope, offset, std::make_index_sequence<digits>());
            const M past = hn::RebindMask(Floats(), hn::Gt(hn::Iota(di, static_cast<int>(c)), last));
            hn::Store(code, di, codes + c);
            hn::Store(hn::IfThenElse(past, hn::Mul(Number(4), slope), slope), Floats(), slopes + c);
            hn::Store(hn::IfThenElse(past, hn::Neg(hn::Abs(offset)), offset), Floats(), offsets + c);
        }
    }

    // The line at the scales, with `tag`, below 8, in its low bits.
    V tagged(std::size_t c, V scale, int tag) const {
        const VI bits = hn::BitCast(Ints(), hn::MulSub(scale, Number(slopes[c]), Number(offsets[c])));
        return hn::BitCast(Floats(), hn::OrAnd(hn::Set(Ints(), tag), bits, hn::Set(Ints(), ~7)));
    }

private:
    template <std::size_t... i>
    static void addElements(VI code, const float* weights, const float* products, V& slope, V& offset, std::index_sequence<i...>) {
        const Ints di;
        const VI twice = hn::ShiftLeft<1>(code);
        const auto add = [&](VI shifted, float weight, float product) {
            const V level = hn::ConvertTo(Floats(), hn::OrAnd(hn::Set(di, 1), shifted, hn::Set(di, (2 << digitBits) - 2)));
            slope = hn::MulAdd(hn::Mul(level, level), Number(weight), slope);
            offset = hn::MulAdd(level, Number(product), offset);
        };
        (add(hn::ShiftRight<static_cast<int>(digitBits * i)>(twice), weights[i], products[i]), ...);
    }
};

// The nearest candidate for the scale in each lane, where its line and the second's are.
struct NearestLine {
    V best, second;
    VI code;
};

// The lower two of `best` and `second` and eight lines.
template <unsigned digits, std::size_t... pair>
HWY_INLINE void TakeEight(const CandidateLines<digits>& lines, std::size_t c, V scale, V& best, V& second,
                          std::index_sequence<pair...>) {
    const auto take = [&](V one, V other) {
        const V low = hn::Min(one, other);
        second = hn::Min(hn::Min(second, hn::Max(one, other)), hn::Max(best, low));
        best = hn::Min(best, low);
    };
    (take(lines.tagged(c + 2 * pair, scale, 2 * pair), lines.tagged(c + 2 * pair + 1, scale, 2 * pair + 1)), ...);
}

template <unsigned digits>
HWY_INLINE NearestLine SearchLines(const CandidateLines<digits>& lines, std::size_t count, V scale) {
    const Ints di;
    constexpr std::make_index_sequence<4> pairs;
    V best = Number(std::numeric_limits<float>::max()), second = best;
    TakeEight(lines, 0, scale, best, second, pairs);
    VI first = hn::Zero(di);
    for (std::size_t c = 8; c < count; c += 8) {
        const V before = best;
        TakeEight(lines, c, scale, best, second, pairs);
        first = hn::IfThenElse(hn::RebindMask(di, hn::Lt(best, before)), hn::Set(di, static_cast<int>(c)), first);
    }
    const VI place = hn::Add(first, hn::And(hn::BitCast(di, best), hn::Set(di, 7)));
    if (count > Lanes()) return {best, second, hn::GatherIndex(di, lines.codes, place)};
    return {best, second, hn::TableLookupLanes(hn::Load(di, lines.codes), hn::IndicesFromVec(di, place))};
}

// Whether the nearest line is the nearest candidate by the scalar form's arithmetic too. Lines are rounded otherwise than distances
// and lose their low bits; for eight elements both together err by less than 70 · 2^-24 of distance and Σ weight · x² (`energy`),
// for four by less. So a gap of 2^-16 of them, 256 · 2^-24, tells. Where they are so small or large that products could leave the
// range of floats, nothing is sure.
HWY_INLINE M IsSure(V best, V second, V energy, V scale) {
    const V both = hn::MulAdd(scale, best, hn::Add(energy, energy));
    const M inRange = hn::And(hn::Gt(both, Number(0x1p-80f)), hn::Lt(both, Number(0x1p100f)));
    return hn::And(inRange, hn::Gt(hn::Mul(scale, hn::Sub(second, best)), hn::Mul(Number(0x1p-16f), both)));
}

} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
