// SPDX-License-Identifier: MIT
// Included once for each SIMD target, so it has a guard for each instead of #pragma once.
//
// The vectors of rows of floats, and the functions of exact.h lane by lane.
#if defined(WB_INFER_EXACT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_INFER_EXACT_INL_H
#undef WB_INFER_EXACT_INL_H
#else
#define WB_INFER_EXACT_INL_H
#endif

#include "core/infer/cpu/kernels/exact.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
using VF = hn::Vec<Floats>;
constexpr std::size_t lanes = hn::MaxLanes(Floats());

// Calls body(i, d) for vectors of the tag and then, where `count` does not fill the last one, for single numbers.
template <class Body>
HWY_INLINE void forVectors(std::size_t count, Body body) {
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) body(i, Floats());
    for (; i < count; ++i) body(i, hn::CappedTag<float, 1>());
}

// exponential() of exact.h.
template <class D, class V>
HWY_INLINE V exponentials(D d, V x) {
    const hn::RebindToSigned<D> di;
    const V n = hn::Round(hn::Mul(x, hn::Set(d, log2OfE)));
    const V r = hn::MulAdd(n, hn::Set(d, -ln2Low), hn::MulAdd(n, hn::Set(d, -ln2High), x));
    V p = hn::Set(d, exponentialTerms[0]);
    for (std::size_t i = 1; i < exponentialTerms.size(); ++i) p = hn::MulAdd(p, r, hn::Set(d, exponentialTerms[i]));
    const V y = hn::Add(hn::MulAdd(p, hn::Mul(r, r), r), hn::Set(d, 1.0F));
    return hn::BitCast(d, hn::Add(hn::BitCast(di, y), hn::ShiftLeft<23>(hn::ConvertTo(di, n))));
}

// gated() of exact.h.
template <class D, class V>
HWY_INLINE V gated(D d, V x, V slope) {
    const V e = exponentials(d, hn::Min(hn::Max(hn::Neg(slope), hn::Set(d, minExponent)), hn::Set(d, maxExponent)));
    return hn::Div(x, hn::Add(hn::Set(d, 1.0F), e));
}

// softplus() of exact.h.
template <class D, class V>
HWY_INLINE V softpluses(D d, V x) {
    const V u = exponentials(d, hn::Max(hn::Neg(hn::Abs(x)), hn::Set(d, minExponent)));
    const V s = hn::Div(u, hn::Add(hn::Set(d, 2.0F), u)), square = hn::Mul(s, s);
    V p = hn::Set(d, logarithmTerms[0]);
    for (std::size_t i = 1; i < logarithmTerms.size(); ++i) p = hn::MulAdd(p, square, hn::Set(d, logarithmTerms[i]));
    return hn::MulAdd(hn::Mul(hn::Set(d, 2.0F), s), p, hn::Max(x, hn::Zero(d)));
}

} // namespace
} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
