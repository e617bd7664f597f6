// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/rows_simd.h"
#include "core/infer/cpu/kernels/unroll.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/infer/cpu/kernels/rows_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/infer/cpu/kernels/exact-inl.h"
#include <hwy/contrib/math/math-inl.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {
namespace {

using Ints = hn::RebindToSigned<Floats>;
using VI = hn::Vec<Ints>;

// ---- quantization

HWY_INLINE float absmaxFromValues(const float* values) {
    VF most = hn::Zero(Floats());
    for (std::size_t i = 0; i < recordColumns; i += lanes) most = hn::Max(most, hn::Abs(hn::LoadU(Floats(), values + i)));
    return hn::GetLane(hn::MaxOfLanes(Floats(), most));
}

// Sixteen codes; answers their sum.
HWY_INLINE std::int32_t encodeHalf(const float* values, float inverse, std::int8_t* codes) {
    VI sum = hn::Zero(Ints());
    const auto factor = hn::Set(Floats(), inverse);
    for (std::size_t i = 0; i < 16; i += lanes) {
        const VI code = hn::NearestInt(hn::Mul(hn::LoadU(Floats(), values + i), factor));
        sum = hn::Add(sum, code);
        hn::StoreU(hn::DemoteTo(hn::Rebind<std::int8_t, Floats>(), code), hn::Rebind<std::int8_t, Floats>(), codes + i);
    }
    return hn::GetLane(hn::SumOfLanes(Ints(), sum));
}

HWY_INLINE void quantizeRecord(const float* values, std::byte* record, std::size_t token, std::size_t width) {
    const float absmax = absmaxFromValues(values);
    const float scale = absmax / 127.0F;
    const float inverse = absmax > minMagnitude ? 127.0F / absmax : 0.0F;
    auto* const codes = reinterpret_cast<std::int8_t*>(record + token * recordColumns);
    const std::int32_t low = encodeHalf(values, inverse, codes), high = encodeHalf(values + 16, inverse, codes + 16);
    store(record + 32 * width + 4 * token, scale);
    store(record + 36 * width + 4 * token, -low);
    store(record + 40 * width + 4 * token, -high);
    store(record + 44 * width + 4 * token, scale * static_cast<float>(low + high));
}

void quantize(const float* values, std::size_t columns, std::byte* group, std::size_t token, std::size_t width) {
    for (std::size_t k = 0; k < columns; k += recordColumns)
        quantizeRecord(values + k, group + k / recordColumns * 48 * width, token, width);
}

// ---- rows of floats

struct Squares {
    template <class D, class V>
    static HWY_INLINE V add(D, V number, V sum) {
        return hn::MulAdd(number, number, sum);
    }
};

struct Numbers {
    template <class D, class V>
    static HWY_INLINE V add(D, V number, V sum) {
        return hn::Add(number, sum);
    }
};

// As many sums side by side on every machine (exact.h), in as many vectors as they fill.
template <class Term>
float sumOfTerms(const float* x, std::size_t count) {
    LaneSums sums{};
    std::size_t i = 0;
    if (count >= sumLanes) {
        constexpr std::size_t vectors = sumLanes / lanes;
        VF wide[vectors];
        WB_UNROLL for (std::size_t v = 0; v < vectors; ++v) { wide[v] = hn::Zero(Floats()); }
        for (; i + sumLanes <= count; i += sumLanes) {
            WB_UNROLL for (std::size_t v = 0; v < vectors; ++v) {
                wide[v] = Term::add(Floats(), hn::LoadU(Floats(), x + i + v * lanes), wide[v]);
            }
        }
        WB_UNROLL for (std::size_t v = 0; v < vectors; ++v) { hn::StoreU(wide[v], Floats(), sums.data() + v * lanes); }
    }
    const hn::CappedTag<float, 1> one;
    for (; i < count; ++i) {
        float& sum = sums[i % sumLanes];
        sum = hn::GetLane(Term::add(one, hn::Set(one, x[i]), hn::Set(one, sum)));
    }
    return foldLanes(sums);
}

void rmsNorm(const float* x, const float* weight, float epsilon, std::size_t count, float* out) {
    const float mean = sumOfTerms<Squares>(x, count) / static_cast<float>(count);
    const float factor = 1.0F / std::sqrt(mean + epsilon);
    forVectors(count, [&](std::size_t i, auto d) HWY_ATTR {
        const auto scaled = hn::Mul(hn::LoadU(d, x + i), hn::Set(d, factor));
        hn::StoreU(hn::Mul(scaled, hn::LoadU(d, weight + i)), d, out + i);
    });
}

// The mean is taken away before squares are summed: their difference would lose what a large mean leaves.
void layerNorm(const float* x, const float* weight, const float* bias, float epsilon, std::size_t count, float* out) {
    const float mean = sumOfTerms<Numbers>(x, count) / static_cast<float>(count);
    forVectors(count,
               [&](std::size_t i, auto d) HWY_ATTR { hn::StoreU(hn::Sub(hn::LoadU(d, x + i), hn::Set(d, mean)), d, out + i); });
    const float factor = 1.0F / std::sqrt(sumOfTerms<Squares>(out, count) / static_cast<float>(count) + epsilon);
    forVectors(count, [&](std::size_t i, auto d) HWY_ATTR {
        const auto scaled = hn::Mul(hn::Mul(hn::LoadU(d, out + i), hn::Set(d, factor)), hn::LoadU(d, weight + i));
        hn::StoreU(bias ? hn::Add(scaled, hn::LoadU(d, bias + i)) : scaled, d, out + i);
    });
}

// ---- activations

struct Silu {
    template <class D, class V>
    static HWY_INLINE V of(D d, V x) {
        return gated(d, x, x);
    }
};

// 0.5 (1 + tanh(u)) = 1 / (1 + e^-2u).
struct GeluTanh {
    template <class D, class V>
    static HWY_INLINE V of(D d, V x) {
        const V cubic = hn::MulAdd(hn::Mul(x, x), hn::Set(d, 0.044715F), hn::Set(d, 1.0F));
        return gated(d, x, hn::Mul(hn::Mul(hn::Set(d, 2 * 0.79788456080286535588F), x), cubic));
    }
};

struct Relu {
    template <class D, class V>
    static HWY_INLINE V of(D d, V x) {
        return hn::Max(x, hn::Zero(d));
    }
};

struct ReluSquared {
    template <class D, class V>
    static HWY_INLINE V of(D d, V x) {
        const V positive = hn::Max(x, hn::Zero(d));
        return hn::Mul(positive, positive);
    }
};

template <class Act>
void activate(float* gate, const float* up, std::size_t count) {
    forVectors(count, [&](std::size_t i, auto d) HWY_ATTR {
        const auto value = Act::of(d, hn::LoadU(d, gate + i));
        hn::StoreU(up ? hn::Mul(value, hn::LoadU(d, up + i)) : value, d, gate + i);
    });
}

void clampedSwiglu(float* gate, const float* up, std::size_t count) {
    forVectors(count, [&](std::size_t i, auto d) HWY_ATTR {
        const auto x = hn::Min(hn::LoadU(d, gate + i), hn::Set(d, 7.0F));
        const auto y = hn::Clamp(hn::LoadU(d, up + i), hn::Set(d, -7.0F), hn::Set(d, 7.0F));
        const auto value = gated(d, x, hn::Mul(hn::Set(d, 1.702F), x));
        hn::StoreU(hn::Mul(value, hn::Add(y, hn::Set(d, 1.0F))), d, gate + i);
    });
}

// tanh(u) = 1 - 2 / (1 + e^2u) loses what is small, so Highway's own form is taken.
void softcap(float* values, std::size_t count, float cap) {
    forVectors(count, [&](std::size_t i, auto d) HWY_ATTR {
        const auto scaled = hn::Div(hn::LoadU(d, values + i), hn::Set(d, cap));
        hn::StoreU(hn::Mul(hn::Set(d, cap), hn::Tanh(d, scaled)), d, values + i);
    });
}

void addScaled(float* sum, const float* addend, float scale, std::size_t count) {
    forVectors(count, [&](std::size_t i, auto d) HWY_ATTR {
        hn::StoreU(hn::MulAdd(hn::Set(d, scale), hn::LoadU(d, addend + i), hn::LoadU(d, sum + i)), d, sum + i);
    });
}

void toF16(const float* values, std::size_t count, std::uint16_t* out) {
    forVectors(count, [&](std::size_t i, auto d) HWY_ATTR {
        const hn::Rebind<hwy::float16_t, decltype(d)> dHalf;
        hn::StoreU(hn::DemoteTo(dHalf, hn::LoadU(d, values + i)), dHalf, reinterpret_cast<hwy::float16_t*>(out) + i);
    });
}

// Softmax over the tiles of 16 that [first, end) touches; the content outside becomes 0.
void softmax(float* scores, std::size_t first, std::size_t end, std::size_t paddedEnd, float sink) {
    const std::size_t begin = first / 16 * 16;
    std::fill(scores + begin, scores + first, -std::numeric_limits<float>::infinity());
    std::fill(scores + end, scores + paddedEnd, -std::numeric_limits<float>::infinity());
    VF highest = hn::LoadU(Floats(), scores + begin);
    for (std::size_t p = begin; p < paddedEnd; p += lanes) highest = hn::Max(highest, hn::LoadU(Floats(), scores + p));
    highest = hn::Max(hn::MaxOfLanes(Floats(), highest), hn::Set(Floats(), sink));
    LaneSums sums{};
    const VF least = hn::Set(Floats(), minExponent);
    for (std::size_t p = begin; p < paddedEnd; p += lanes) {
        const VF less = hn::Sub(hn::LoadU(Floats(), scores + p), highest);
        const VF e = hn::IfThenElseZero(hn::Gt(less, least), exponentials(Floats(), hn::Max(less, least)));
        float* const sum = sums.data() + p % sumLanes;
        hn::StoreU(hn::Add(hn::LoadU(Floats(), sum), e), Floats(), sum);
        hn::StoreU(e, Floats(), scores + p);
    }
    const VF inverse = hn::Set(Floats(), 1.0F / (foldLanes(sums) + std::exp(sink - hn::GetLane(highest))));
    for (std::size_t p = begin; p < paddedEnd; p += lanes)
        hn::StoreU(hn::Mul(hn::LoadU(Floats(), scores + p), inverse), Floats(), scores + p);
}

} // namespace

// The error function has no vector form here; the readable one serves the few old families that use it.
RowForms rowForms() {
    return {quantize,  rmsNorm,
            layerNorm, {activate<Silu>, activate<GeluTanh>, nullptr, activate<Relu>, activate<ReluSquared>, clampedSwiglu},
            softcap,   addScaled,
            nullptr,   toF16,
            softmax};
}

} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::infer::cpu {

HWY_EXPORT(rowForms);

RowForms rowsSimd() { return HWY_DYNAMIC_DISPATCH(rowForms)(); }

} // namespace wb::infer::cpu
#endif
