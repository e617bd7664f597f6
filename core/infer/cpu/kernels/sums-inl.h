// SPDX-License-Identifier: MIT
// Included once for each SIMD target, so it has a guard for each instead of #pragma once.
//
// Products of a panel's codes and activations, and how their sums are added to the numbers of rows.
#if defined(WB_INFER_SUMS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_INFER_SUMS_INL_H
#undef WB_INFER_SUMS_INL_H
#else
#define WB_INFER_SUMS_INL_H
#endif

#include "core/infer/cpu/kernels/panels-inl.h"

#undef WB_PAIR_SUMS
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
#define WB_PAIR_SUMS 1
#else
#define WB_PAIR_SUMS 0
#endif

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {
namespace {

// The same address, of which the compiler knows nothing: it would load the activations of a whole block before the loop over
// panels, and keep them in memory in every lane of a vector.
HWY_INLINE const std::byte* loadedAnew(const std::byte* at) {
#if defined(__GNUC__)
    __asm__("" : "+r"(at));
#endif
    return at;
}

// The first value of the sum of columns: minus the bias times the sum of a token's codes.
template <class Panel>
HWY_INLINE VI startFromNegativeSum(std::int32_t negativeSum) {
    if constexpr (Panel::biasShift < 0) return hn::Zero(Ints());
    else return hn::Set(Ints(), negativeSum * (1 << Panel::biasShift));
}

template <std::size_t T>
HWY_INLINE void fold(const VI* HWY_RESTRICT sums, VF rowScale, const std::byte* x, VF* HWY_RESTRICT acc) {
    WB_UNROLL for (std::size_t t = 0; t < T; ++t) {
        const VF scale = hn::Mul(rowScale, hn::Set(Floats(), floats(x + Record<T>::scale)[t]));
        acc[t] = hn::MulAdd(hn::ConvertTo(Floats(), sums[t]), scale, acc[t]);
    }
}

template <class Panel>
HWY_INLINE VF firstMinimum(const std::byte* block, std::size_t record, std::size_t r) {
    if constexpr (Panel::minimums > 0) return Panel::minimum(block, record, r);
    else return hn::Zero(Floats());
}

template <class Panel>
HWY_INLINE VF lastMinimum(const std::byte* block, std::size_t record, std::size_t r) {
    if constexpr (Panel::minimums > 1) return Panel::secondMinimum(block, record, r);
    else return hn::Zero(Floats());
}

// ---- minimums

// Adds a record's minimums times the sums of token `t` to the sum of a slice. The token's numbers are in a record of T.
template <class Panel, std::size_t T>
HWY_INLINE VF addMinimums(VF first, VF last, const std::byte* x, std::size_t t, VF sum) {
    using R = Record<T>;
    if constexpr (Panel::minimums == 1) return hn::MulAdd(first, hn::Set(Floats(), floats(x + R::offset)[t]), sum);
    if constexpr (Panel::minimums == 2) {
        const float scale = floats(x + R::scale)[t];
        sum = hn::MulAdd(first, hn::Set(Floats(), scale * static_cast<float>(-ints(x + R::low)[t])), sum);
        return hn::MulAdd(last, hn::Set(Floats(), scale * static_cast<float>(-ints(x + R::high)[t])), sum);
    }
    return sum;
}

// ---- products of bytes

// Four codes of a token, in every lane.
HWY_INLINE VB fourCodes(const std::byte* at) { return hn::BitCast(Bytes(), hn::Set(Ints(), *ints(at))); }

#if WB_PAIR_SUMS
using Shorts = hn::Repartition<std::int16_t, Floats>;
using VS = hn::Vec<Shorts>;

// How many sums of two products, of codes up to `largest` and activations up to 127, fit into 16 bits together. 0: not even one, so
// signed codes are multiplied, as magnitudes with the activations taking the sign.
template <class Panel>
constexpr std::size_t sumsInShorts = Panel::largest > 129 ? 0 : 32767 / (2 * 127 * Panel::largest);

// a + b where it is written: GCC 12 makes trees of long sums of whole numbers, whose leaves do not fit into the registers.
template <class V>
HWY_INLINE V addHere(V a, V b) {
    V sum = hn::Add(a, b);
#if defined(__GNUC__) && !defined(__clang__)
    __asm__("" : "+v"(sum.raw));
#endif
    return sum;
}

// Sums of two products, unsigned by signed.
HWY_INLINE VS multiplyPairs(VB codes, VB x) {
#if HWY_TARGET == HWY_AVX2
    return VS{_mm256_maddubs_epi16(codes.raw, x.raw)};
#else
    return VS{_mm512_maddubs_epi16(codes.raw, x.raw)};
#endif
}

// Sums of two products of 16 bits.
HWY_INLINE VI multiplyShorts(VS a, VS b) {
#if HWY_TARGET == HWY_AVX2
    return VI{_mm256_madd_epi16(a.raw, b.raw)};
#else
    return VI{_mm512_madd_epi16(a.raw, b.raw)};
#endif
}

HWY_INLINE VI addPairs(VS sums) { return multiplyShorts(sums, hn::Set(Shorts(), std::int16_t{1})); }

// Magnitudes of signed codes; that of -128 is 128 as an unsigned byte.
HWY_INLINE VB magnitudes(VB codes) {
#if HWY_TARGET == HWY_AVX2
    return VB{_mm256_abs_epi8(codes.raw)};
#else
    return VB{_mm512_abs_epi8(codes.raw)};
#endif
}

// x with the signs of the codes times its own.
HWY_INLINE VB withSigns(VB x, VB codes) {
#if HWY_TARGET == HWY_AVX2
    return VB{_mm256_sign_epi8(x.raw, codes.raw)};
#else
    return VB{_mm512_mask_sub_epi8(x.raw, _mm512_movepi8_mask(codes.raw), _mm512_setzero_si512(), x.raw)};
#endif
}

// All bits of the bytes that are negative.
HWY_INLINE VB whereNegative(VB codes) {
    const hn::Repartition<std::int8_t, Floats> d;
    return hn::BitCast(Bytes(), hn::VecFromMask(d, hn::Lt(hn::BitCast(d, codes), hn::Zero(d))));
}

HWY_INLINE VB toSigned(VB codes) { return hn::Xor(codes, hn::Set(Bytes(), std::uint8_t{128})); }
#endif

} // namespace
} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif
