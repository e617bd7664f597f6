// SPDX-License-Identifier: MIT
// Included once for each SIMD target, so it has a guard for each instead of #pragma once.
//
// A tile of tokens times 32 expanded columns of a panel on x86 without a dot product of bytes: sums of two products in 16 bits.
#if defined(WB_INFER_PAIR_SUMS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_INFER_PAIR_SUMS_INL_H
#undef WB_INFER_PAIR_SUMS_INL_H
#else
#define WB_INFER_PAIR_SUMS_INL_H
#endif

#include "core/infer/cpu/kernels/expansion-inl.h"

#if WB_PAIR_SUMS
HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {
namespace {

// A weight is its code times codeFactor minus codeBias.
template <class Panel>
constexpr std::int16_t codeFactor = 1;
template <class Panel>
constexpr std::int32_t codeBias = Panel::biasShift < 0 ? 0 : 1 << std::max(Panel::biasShift, 0);

// All sums of pairs of vectors [first, end) fit into 16 bits.
template <class Panel, class Dot, std::size_t first, std::size_t end>
HWY_INLINE void dotInShorts(const Expanded<Panel, Dot>& record, const std::byte* x, TileSums& sums) {
    VS pairs[slices][tileTokens];
    WB_UNROLL for (std::size_t j = first; j < end; ++j) {
        VB codes[slices];
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { codes[s] = codesAt(record, j, s); }
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
            const VB four = fourCodes(x + t * recordColumns + 4 * j);
            WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
                const VS product = multiplyPairs(codes[s], four);
                pairs[s][t] = j == first ? product : addHere(pairs[s][t], product);
            }
        }
    }
    const VS factor = hn::Set(Shorts(), codeFactor<Panel>);
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) { sums[s][t] = multiplyShorts(pairs[s][t], factor); }
    }
}

// Those of `step` vectors do.
template <class Panel, class Dot, std::size_t first, std::size_t end, std::size_t step>
HWY_INLINE void dotBySteps(const Expanded<Panel, Dot>& record, const std::byte* x, TileSums& sums) {
    const VS factor = hn::Set(Shorts(), codeFactor<Panel>);
    WB_UNROLL for (std::size_t j = first; j < end; j += step) {
        VB codes[step][slices];
        WB_UNROLL for (std::size_t i = 0; i < step; ++i) {
            WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { codes[i][s] = codesAt(record, j + i, s); }
        }
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
            VB four[step];
            WB_UNROLL for (std::size_t i = 0; i < step; ++i) { four[i] = fourCodes(x + t * recordColumns + 4 * (j + i)); }
            WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
                VS pairs = multiplyPairs(codes[0][s], four[0]);
                WB_UNROLL for (std::size_t i = 1; i < step; ++i) { pairs = hn::Add(pairs, multiplyPairs(codes[i][s], four[i])); }
                const VI sum = multiplyShorts(pairs, factor);
                sums[s][t] = j == first ? sum : addHere(sums[s][t], sum);
            }
        }
    }
}

template <class Panel, class Dot, std::size_t first, std::size_t end>
HWY_INLINE void dotMasked(const Expanded<Panel, Dot>& record, const std::byte* x, TileSums& sums) {
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
        VI start = hn::Load(Ints(), record.starts[first / 4] + s * lanes);
        if constexpr (end - first == 8) start = hn::Add(start, hn::Load(Ints(), record.starts[1] + s * lanes));
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) { sums[s][t] = start; }
    }
    WB_UNROLL for (std::size_t j = first; j < end; ++j) {
        VB codes[slices], masks[slices];
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
            codes[s] = codesAt(record, j, s);
            masks[s] = hn::Load(Bytes(), record.masks[j] + 4 * lanes * s);
        }
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
            const VB four = fourCodes(x + t * recordColumns + 4 * j);
            WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
                sums[s][t] = addHere(sums[s][t], addPairs(multiplyPairs(codes[s], hn::Xor(four, masks[s]))));
            }
        }
    }
}

// Adds what takes the bias away.
template <class Panel, std::size_t first, std::size_t end>
HWY_INLINE void addBias(const std::byte* x, std::size_t t0, TileSums& sums) {
    WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
        const VI start = hn::Set(Ints(), negativeSum<first, end>(x, t0 + t) * codeBias<Panel>);
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { sums[s][t] = hn::Add(sums[s][t], start); }
    }
}

} // namespace
} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif
