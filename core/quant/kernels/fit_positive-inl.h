// SPDX-License-Identifier: MIT
// fitPositive of fit.h for many groups at once: one group a SIMD lane, each lane in the reference's own order of
// operations, so that every scale and code equals the scalar form's bit for bit (docs/reference/gguf.md, "SIMD and GPU forms").
// Included once per SIMD target.
#if defined(WB_QUANT_FIT_POSITIVE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_QUANT_FIT_POSITIVE_INL_H
#undef WB_QUANT_FIT_POSITIVE_INL_H
#else
#define WB_QUANT_FIT_POSITIVE_INL_H
#endif

#include "core/quant/kernels/batch-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {

HWY_INLINE VI LowByte(VI value) { return hn::And(value, hn::Set(Ints(), 255)); }
HWY_INLINE VI AtMost(VI value, int n) { return hn::Min(value, hn::Set(Ints(), n)); }

template <typename CodeOf>
HWY_INLINE V PositiveError(const Batch<V>& b, V scale, CodeOf codeOf) {
    V error = Number(0);
    for (std::size_t i = 0; i < b.size; ++i) {
        const V e = hn::Sub(b.X(i), hn::Mul(scale, hn::ConvertTo(Floats(), codeOf(b.X(i)))));
        error = hn::Add(error, hn::Mul(hn::Mul(b.W(i), e), e));
    }
    return error;
}

HWY_INLINE V BestPositiveInverse(const Batch<V>& b, int n, V largest) {
    V best = hn::Div(Number(static_cast<float>(n)), largest);
    V bestError = PositiveError(b, hn::Div(Number(1), best), [&](V x) { return LowByte(Nearest(hn::Mul(best, x))); });
    for (int t = -4; t <= 4; ++t) {
        if (t == 0) continue;
        const V inverse = hn::Div(Number(0.1f * static_cast<float>(t) + static_cast<float>(n)), largest);
        const V error = PositiveError(b, hn::Div(Number(1), inverse), [&](V x) { return AtMost(Nearest(hn::Mul(inverse, x)), n); });
        const M better = hn::Lt(error, bestError);
        bestError = hn::IfThenElse(better, error, bestError);
        best = hn::IfThenElse(better, inverse, best);
    }
    return best;
}

HWY_INLINE M ImprovePositive(int n, V x, V w, VI& code, Sums<V>& sums) {
    const Floats d;
    const V old = hn::ConvertTo(d, code);
    V lx = hn::Sub(sums.lx, hn::Mul(hn::Mul(w, x), old));
    V l2 = hn::Sub(sums.l2, hn::Mul(hn::Mul(w, old), old));
    const M usable = hn::And(hn::Gt(lx, Number(0)), hn::Gt(l2, Number(0)));
    const VI next = AtMost(Nearest(hn::Div(hn::Mul(x, l2), lx)), n);
    const V level = hn::ConvertTo(d, next);
    lx = hn::Add(lx, hn::Mul(hn::Mul(w, x), level));
    l2 = hn::Add(l2, hn::Mul(hn::Mul(w, level), level));
    const M better = hn::Gt(hn::Mul(hn::Mul(lx, lx), sums.l2), hn::Mul(hn::Mul(sums.lx, sums.lx), l2));
    const M moves = hn::And(hn::And(usable, better), hn::RebindMask(d, hn::Ne(next, code)));
    code = hn::IfThenElse(hn::RebindMask(Ints(), moves), LowByte(next), code);
    sums.lx = hn::IfThenElse(moves, lx, sums.lx);
    sums.l2 = hn::IfThenElse(moves, l2, sums.l2);
    return moves;
}

// fitPositive with its codes, element i of all lanes at i · lanes.
HWY_INLINE V FitPositive(const Batch<V>& b, int n, std::int32_t* codes) {
    const Floats d;
    const Ints di;
    V largest = Number(0);
    for (std::size_t i = 0; i < b.size; ++i) largest = hn::IfThenElse(hn::Gt(b.X(i), largest), b.X(i), largest);
    const M empty = hn::Lt(largest, Number(emptyGroup));
    const V inverse = BestPositiveInverse(b, n, largest);
    Sums<V> sums{Number(0), Number(0)};
    for (std::size_t i = 0; i < b.size; ++i) {
        const VI code = AtMost(Nearest(hn::Mul(inverse, b.X(i))), n);
        const V level = hn::ConvertTo(d, code);
        hn::Store(LowByte(code), di, codes + i * Lanes());
        sums.lx = hn::Add(sums.lx, hn::Mul(hn::Mul(b.W(i), b.X(i)), level));
        sums.l2 = hn::Add(sums.l2, hn::Mul(hn::Mul(b.W(i), level), level));
    }
    for (int sweep = 0; sweep < 5; ++sweep) {
        M changed = hn::Lt(Number(0), Number(0));
        for (std::size_t i = 0; i < b.size; ++i) {
            VI code = hn::Load(di, codes + i * Lanes());
            changed = hn::Or(changed, ImprovePositive(n, b.X(i), b.W(i), code, sums));
            hn::Store(code, di, codes + i * Lanes());
        }
        if (!AnyTrue(changed)) break;
    }
    for (std::size_t i = 0; i < b.size; ++i)
        hn::Store(hn::IfThenZeroElse(hn::RebindMask(di, empty), hn::Load(di, codes + i * Lanes())), di, codes + i * Lanes());
    return hn::IfThenZeroElse(empty, RatioAbove(sums.lx, sums.l2));
}

} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
