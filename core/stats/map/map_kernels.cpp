// SPDX-License-Identifier: MIT
#include "core/stats/map/map_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/stats/map/map_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/tensor/upper_halves-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wb::stats::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR // without vectors the twins are the best form

using scalar::addColumns;
using scalar::sumRow;

#else

namespace hn = hwy::HWY_NAMESPACE;

using DoubleTag = hn::ScalableTag<double>;
using HalfTag = hn::Rebind<float, DoubleTag>; // as many f32 as one vector holds f64

HWY_ATTR bool addColumns(const float* values, std::size_t stride, std::size_t rows, const ColumnSums& sums) {
    const DoubleTag d;
    const HalfTag f;
    const std::size_t lanes = hn::Lanes(d);
    const std::size_t columns = sums.absmax.size();
    const auto infinity = hn::Set(f, std::numeric_limits<float>::infinity());
    auto allFinite = hn::Eq(hn::Zero(f), hn::Zero(f));
    std::size_t at = 0;
    for (; at + lanes <= columns; at += lanes) {
        auto absmax = hn::LoadU(f, sums.absmax.data() + at);
        auto sum = hn::LoadU(d, sums.sum.data() + at);
        auto squares = hn::LoadU(d, sums.squares.data() + at);
        for (std::size_t row = 0; row < rows; ++row) {
            const auto value = hn::LoadU(f, values + row * stride + at);
            const auto finite = hn::Lt(hn::Abs(value), infinity); // false for NaN
            allFinite = hn::And(allFinite, finite);
            const auto kept = hn::IfThenElseZero(finite, value);
            const auto wide = hn::PromoteTo(d, kept);
            absmax = hn::Max(absmax, hn::Abs(kept));
            sum = hn::Add(sum, wide);
            squares = hn::Add(squares, hn::Mul(wide, wide));
        }
        hn::StoreU(absmax, f, sums.absmax.data() + at);
        hn::StoreU(sum, d, sums.sum.data() + at);
        hn::StoreU(squares, d, sums.squares.data() + at);
    }
    const bool finite = hn::AllTrue(f, allFinite);
    wb::HWY_NAMESPACE::ForgetUpperHalves();
    const ColumnSums rest{sums.absmax.subspan(at), sums.sum.subspan(at), sums.squares.subspan(at)};
    const bool restFinite = scalar::addColumns(values + at, stride, rows, rest);
    return finite && restFinite;
}

HWY_ATTR RowSums sumRow(std::span<const float> values) {
    const DoubleTag d;
    const HalfTag f;
    const std::size_t lanes = hn::Lanes(d);
    const auto infinity = hn::Set(f, std::numeric_limits<float>::infinity());
    auto absmax = hn::Zero(f);
    auto sum = hn::Zero(d);
    auto squares = hn::Zero(d);
    std::size_t at = 0;
    for (; at + lanes <= values.size(); at += lanes) {
        const auto value = hn::LoadU(f, values.data() + at);
        const auto kept = hn::IfThenElseZero(hn::Lt(hn::Abs(value), infinity), value);
        const auto wide = hn::PromoteTo(d, kept);
        absmax = hn::Max(absmax, hn::Abs(kept));
        sum = hn::Add(sum, wide);
        squares = hn::Add(squares, hn::Mul(wide, wide));
    }
    RowSums sums = scalar::sumRow(values.subspan(at));
    HWY_ALIGN float largest[hn::MaxLanes(f)];
    hn::Store(absmax, f, largest);
    for (std::size_t lane = 0; lane < lanes; ++lane) sums.absmax = std::max(sums.absmax, largest[lane]);
    sums.sum += hn::GetLane(hn::SumOfLanes(d, sum));
    sums.squares += hn::GetLane(hn::SumOfLanes(d, squares));
    return sums;
}

#endif

} // namespace wb::stats::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::stats {

HWY_EXPORT(addColumns);
HWY_EXPORT(sumRow);

bool addColumns(const float* values, std::size_t stride, std::size_t rows, const ColumnSums& sums) {
    return HWY_DYNAMIC_DISPATCH(addColumns)(values, stride, rows, sums);
}

RowSums sumRow(std::span<const float> values) { return HWY_DYNAMIC_DISPATCH(sumRow)(values); }

namespace scalar {

bool addColumns(const float* values, std::size_t stride, std::size_t rows, const ColumnSums& sums) {
    bool allFinite = true;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < sums.absmax.size(); ++column) {
            const float value = values[row * stride + column];
            if (!std::isfinite(value)) {
                allFinite = false;
                continue;
            }
            sums.absmax[column] = std::max(sums.absmax[column], std::abs(value));
            sums.sum[column] += double{value};
            sums.squares[column] += double{value} * double{value};
        }
    return allFinite;
}

RowSums sumRow(std::span<const float> values) {
    RowSums sums;
    for (const float value : values) {
        if (!std::isfinite(value)) continue;
        sums.absmax = std::max(sums.absmax, std::abs(value));
        sums.sum += double{value};
        sums.squares += double{value} * double{value};
    }
    return sums;
}

} // namespace scalar
} // namespace wb::stats
#endif
