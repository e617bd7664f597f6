// SPDX-License-Identifier: MIT
// Included once for each SIMD target, so it has a guard for each instead of #pragma once.
//
// One group of tokens times panels of integers, whose codes are unpacked where they are multiplied.
#if defined(WB_INFER_INTEGERS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_INFER_INTEGERS_INL_H
#undef WB_INFER_INTEGERS_INL_H
#else
#define WB_INFER_INTEGERS_INL_H
#endif

#include "core/infer/cpu/kernels/dots-inl.h"

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {
namespace {

// ---- one block

template <class Panel, class Dot, std::size_t record, std::size_t T, std::size_t j>
HWY_INLINE void dotVector(const std::byte* block, const std::byte* x, std::size_t r, VI* HWY_RESTRICT sums) {
    const VB codes = codesForDot<Panel, Dot>(Panel::template codes<record, j>(block, r));
    WB_UNROLL for (std::size_t t = 0; t < T; ++t) { sums[t] = Dot::add(sums[t], codes, x + t * recordColumns + j * 4); }
}

template <class Panel, class Dot, std::size_t record, std::size_t T, std::size_t first, std::size_t... j>
HWY_INLINE void dotVectors(std::index_sequence<j...>, const std::byte* block, const std::byte* x, std::size_t r,
                           VI* HWY_RESTRICT sums) {
    (dotVector<Panel, Dot, record, T, first + j>(block, x, r, sums), ...);
}

// The products of vectors [first, end) of a record with T tokens, whose codes have these sums.
template <class Panel, class Dot, std::size_t record, std::size_t T, std::size_t first, std::size_t end>
HWY_INLINE void dotTokens(const std::byte* block, const std::byte* x, std::size_t r, const std::int32_t* low,
                          const std::int32_t* high, VI* HWY_RESTRICT sums) {
    const auto startAt = [&](std::size_t t)
                             HWY_ATTR { return startForDot<Panel, Dot>((first == 0 ? low[t] : 0) + (end == 8 ? high[t] : 0)); };
    WB_UNROLL for (std::size_t t = 0; t < T; ++t) { sums[t] = startAt(t); }
    dotVectors<Panel, Dot, record, T, first>(std::make_index_sequence<end - first>(), block, x, r, sums);
}

// Adds 32 columns of one slice of a panel to the sums of T tokens.
template <class Panel, class Dot, std::size_t record, std::size_t T>
HWY_INLINE void addRecord(const std::byte* block, const std::byte* x, std::size_t r, VF* HWY_RESTRICT acc) {
    using R = Record<T>;
    VI sums[T];
    const std::int32_t *const low = ints(x + R::low), *const high = ints(x + R::high);
    if constexpr (Panel::splits) {
        dotTokens<Panel, Dot, record, T, 0, 4>(block, x, r, low, high, sums);
        fold<T>(sums, Panel::scale(block, record, r), x, acc);
        dotTokens<Panel, Dot, record, T, 4, 8>(block, x, r, low, high, sums);
        fold<T>(sums, Panel::secondScale(block, record, r), x, acc);
    } else {
        dotTokens<Panel, Dot, record, T, 0, 8>(block, x, r, low, high, sums);
        fold<T>(sums, Panel::scale(block, record, r), x, acc);
    }
    const VF first = firstMinimum<Panel>(block, record, r), last = lastMinimum<Panel>(block, record, r);
    WB_UNROLL for (std::size_t t = 0; t < T; ++t) { acc[t] = addMinimums<Panel, T>(first, last, x, t, acc[t]); }
}

template <class Panel, class Dot, std::size_t T, std::size_t... record>
HWY_INLINE void addBlock(std::index_sequence<record...>, const std::byte* block, const std::byte* x, std::size_t r,
                         VF* HWY_RESTRICT acc) {
    (addRecord<Panel, Dot, record, T>(block, x + record * Record<T>::bytes, r, acc), ...);
}

// ---- a whole panel

// One group. The loop over slices is not unrolled: the instructions of a block fill much of their cache.
template <class Panel, class Dot>
void multiplyGroup(const Product& p) {
    constexpr std::size_t T = groupTokens;
    VF acc[slices][T];
    for (auto& slice : acc)
        for (VF& sum : slice) sum = hn::Zero(Floats());
    const std::byte *block = p.panel, *x = p.activations;
    for (std::size_t b = 0; b < p.blocks; ++b, block += Panel::bytes, x += Panel::records * Record<T>::bytes)
        for (std::size_t s = 0; s < slices; ++s) {
            VF sums[T];
            WB_UNROLL for (std::size_t t = 0; t < T; ++t) { sums[t] = acc[s][t]; }
            addBlock<Panel, Dot, T>(std::make_index_sequence<Panel::records>(), block, loadedAnew(x), s * lanes, sums);
            WB_UNROLL for (std::size_t t = 0; t < T; ++t) { acc[s][t] = sums[t]; }
        }
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
        WB_UNROLL for (std::size_t t = 0; t < T; ++t) { hn::StoreU(acc[s][t], Floats(), p.out + t * p.stride + s * lanes); }
    }
}

} // namespace
} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif
