// SPDX-License-Identifier: MIT
#include "core/convert/quantize/error_sums.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/convert/quantize/error_sums_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace wb::quantize::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t strands = 8;
constexpr std::size_t slice = 4096; // both halves of a slice stay in the first-level cache
using Doubles = hn::CappedTag<double, strands>;
using V = hn::Vec<Doubles>;

struct Strands {
    HWY_ALIGN double e2[strands] = {};
    HWY_ALIGN double w2[strands] = {};
    HWY_ALIGN double v2[strands] = {};
    HWY_ALIGN double wv[strands] = {};
};

// The sums of the strands that fill a vector.
struct VectorSums {
    V e2, w2, v2, wv;

    static HWY_INLINE VectorSums load(const Strands& sums, std::size_t first) {
        const Doubles d;
        return {hn::Load(d, sums.e2 + first), hn::Load(d, sums.w2 + first), hn::Load(d, sums.v2 + first),
                hn::Load(d, sums.wv + first)};
    }

    HWY_INLINE void add(const float* source, const float* decoded) {
        const Doubles d;
        const hn::Rebind<float, Doubles> narrow;
        const V w = hn::PromoteTo(d, hn::LoadU(narrow, source));
        const V v = hn::PromoteTo(d, hn::LoadU(narrow, decoded));
        const V e = hn::Sub(v, w);
        e2 = hn::Add(e2, hn::Mul(e, e));
        // Products of two f32 are exact in f64, so that adding them in one step rounds no differently.
        w2 = hn::MulAdd(w, w, w2);
        v2 = hn::MulAdd(v, v, v2);
        wv = hn::MulAdd(w, v, wv);
    }

    HWY_INLINE void store(Strands& sums, std::size_t first) const {
        const Doubles d;
        hn::Store(e2, d, sums.e2 + first);
        hn::Store(w2, d, sums.w2 + first);
        hn::Store(v2, d, sums.v2 + first);
        hn::Store(wv, d, sums.wv + first);
    }
};

// The strands from `first` that fill a vector, or two, so that one's additions do not wait for their results; over whole rounds of
// all strands. Returns the first strand that is left.
std::size_t AddVectors(const float* source, const float* decoded, std::size_t count, std::size_t first, Strands& sums) {
    const std::size_t lanes = hn::Lanes(Doubles()), second = first + lanes;
    VectorSums one = VectorSums::load(sums, first);
    if (second >= strands) {
        for (std::size_t i = first; i < count; i += strands) one.add(source + i, decoded + i);
        one.store(sums, first);
        return second;
    }
    VectorSums two = VectorSums::load(sums, second);
    for (std::size_t i = first; i < count; i += strands) {
        one.add(source + i, decoded + i);
        two.add(source + i + lanes, decoded + i + lanes);
    }
    one.store(sums, first);
    two.store(sums, second);
    return second + lanes;
}

double Total(const double (&values)[strands]) {
    double total = 0;
    for (const double value : values) total += value;
    return total;
}

ErrorSums Sum(const float* source, const float* decoded, std::size_t count) {
    Strands sums;
    const std::size_t whole = count / strands * strands;
    for (std::size_t i = 0; i < whole; i += slice)
        for (std::size_t first = 0; first < strands;)
            first = AddVectors(source + i, decoded + i, std::min(slice, whole - i), first, sums);
    for (std::size_t i = whole; i < count; ++i) {
        const double w = source[i];
        const double v = decoded[i];
        sums.e2[i % strands] += (v - w) * (v - w);
        sums.w2[i % strands] += w * w;
        sums.v2[i % strands] += v * v;
        sums.wv[i % strands] += w * v;
    }
    return {Total(sums.e2), Total(sums.w2), Total(sums.v2), Total(sums.wv)};
}

} // namespace
} // namespace wb::quantize::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::quantize {

HWY_EXPORT(Sum);

ErrorSums errorSums(std::span<const float> source, std::span<const float> decoded) {
    return HWY_DYNAMIC_DISPATCH(Sum)(source.data(), decoded.data(), source.size());
}

} // namespace wb::quantize
#endif
