// SPDX-License-Identifier: MIT
#include "core/stats/spectral/products.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/stats/spectral/products.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace wb::stats::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR

using scalar::addProducts;

#else

namespace hn = hwy::HWY_NAMESPACE;

// Four rows at a time, so that a sum is loaded and stored once for four products.
HWY_ATTR void addProducts(std::span<const double> factors, const double* rows, std::size_t stride, std::span<double> sum) {
    const hn::ScalableTag<double> d;
    const std::size_t lanes = hn::Lanes(d), vectors = sum.size() / lanes * lanes;
    std::size_t k = 0;
    for (; k + 4 <= factors.size(); k += 4) {
        const double* const row = rows + k * stride;
        const auto f0 = hn::Set(d, factors[k]), f1 = hn::Set(d, factors[k + 1]);
        const auto f2 = hn::Set(d, factors[k + 2]), f3 = hn::Set(d, factors[k + 3]);
        for (std::size_t j = 0; j < vectors; j += lanes) {
            auto total = hn::LoadU(d, sum.data() + j);
            total = hn::MulAdd(f0, hn::LoadU(d, row + j), total);
            total = hn::MulAdd(f1, hn::LoadU(d, row + stride + j), total);
            total = hn::MulAdd(f2, hn::LoadU(d, row + 2 * stride + j), total);
            total = hn::MulAdd(f3, hn::LoadU(d, row + 3 * stride + j), total);
            hn::StoreU(total, d, sum.data() + j);
        }
    }
    for (; k < factors.size(); ++k) {
        const auto factor = hn::Set(d, factors[k]);
        for (std::size_t j = 0; j < vectors; j += lanes)
            hn::StoreU(hn::MulAdd(factor, hn::LoadU(d, rows + k * stride + j), hn::LoadU(d, sum.data() + j)), d, sum.data() + j);
    }
    scalar::addProducts(factors, rows + vectors, stride, sum.subspan(vectors));
}

#endif
} // namespace wb::stats::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::stats {

HWY_EXPORT(addProducts);

void addProducts(std::span<const double> factors, const double* rows, std::size_t stride, std::span<double> sum) {
    HWY_DYNAMIC_DISPATCH(addProducts)(factors, rows, stride, sum);
}

namespace scalar {

void addProducts(std::span<const double> factors, const double* rows, std::size_t stride, std::span<double> sum) {
    for (std::size_t k = 0; k < factors.size(); ++k)
        for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += factors[k] * rows[k * stride + j];
}

} // namespace scalar
} // namespace wb::stats
#endif
