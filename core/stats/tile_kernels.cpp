// SPDX-License-Identifier: MIT
#include "core/stats/rules.h"
#include "core/stats/tile_kernels.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/stats/tile_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace wb::stats::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using IntTag = hn::RebindToSigned<FloatTag>;
using WordTag = hn::RebindToUnsigned<FloatTag>;
using DoubleTag = hn::ScalableTag<double>;
using HalfTag = hn::Rebind<float, DoubleTag>; // as many f32 as one vector holds f64

HWY_ATTR TileRange rangeOf(std::span<const float> values) {
    const FloatTag f;
    const IntTag i;
    const WordTag u;
    const DoubleTag d;
    const HalfTag half;
    const std::size_t lanes = hn::Lanes(f);
    const std::size_t halfLanes = hn::Lanes(d);
    const auto withoutSign = hn::Set(i, INT32_MAX);
    auto least = hn::Set(i, INT32_MAX);
    auto greatest = hn::Set(i, INT32_MIN);
    auto leastMagnitude = hn::Set(u, UINT32_MAX);
    auto sum0 = hn::Zero(d);
    auto sum1 = hn::Zero(d);
    std::size_t at = 0;
    for (; at + lanes <= values.size(); at += lanes) {
        const float* from = values.data() + at;
        const auto bits = hn::BitCast(i, hn::LoadU(f, from));
        const auto sorted = hn::Xor(bits, hn::And(hn::ShiftRight<31>(bits), withoutSign));
        least = hn::Min(least, sorted);
        greatest = hn::Max(greatest, sorted);
        leastMagnitude = hn::Min(leastMagnitude, hn::BitCast(u, hn::And(bits, withoutSign)));
        sum0 = hn::Add(sum0, hn::PromoteTo(d, hn::LoadU(half, from)));
        sum1 = hn::Add(sum1, hn::PromoteTo(d, hn::LoadU(half, from + halfLanes)));
    }
    TileRange range = scalar::rangeOf(values.subspan(at));
    range.least = std::min(range.least, hn::GetLane(hn::MinOfLanes(i, least)));
    range.greatest = std::max(range.greatest, hn::GetLane(hn::MaxOfLanes(i, greatest)));
    range.leastMagnitude = std::min(range.leastMagnitude, hn::GetLane(hn::MinOfLanes(u, leastMagnitude)));
    range.sum += hn::GetLane(hn::SumOfLanes(d, hn::Add(sum0, sum1)));
    return range;
}

HWY_ATTR TinyCounts countTiny(std::span<const float> values) {
    const FloatTag f;
    const IntTag i;
    const std::size_t lanes = hn::Lanes(f);
    const auto withoutSign = hn::Set(i, INT32_MAX);
    const auto smallestNormal = hn::Set(i, smallestNormalBits);
    const auto zero = hn::Zero(i);
    auto minusZeros = zero; // masks are -1
    auto minusTiny = zero;
    std::size_t at = 0;
    for (; at + lanes <= values.size(); at += lanes) {
        const auto magnitude = hn::And(hn::BitCast(i, hn::LoadU(f, values.data() + at)), withoutSign);
        minusZeros = hn::Add(minusZeros, hn::VecFromMask(i, hn::Eq(magnitude, zero)));
        minusTiny = hn::Add(minusTiny, hn::VecFromMask(i, hn::Lt(magnitude, smallestNormal)));
    }
    TinyCounts counts = scalar::countTiny(values.subspan(at));
    const auto zeros = static_cast<std::size_t>(-hn::GetLane(hn::SumOfLanes(i, minusZeros)));
    counts.zeros += zeros;
    counts.subnormals += static_cast<std::size_t>(-hn::GetLane(hn::SumOfLanes(i, minusTiny))) - zeros;
    return counts;
}

// Two chains a sum: an addition takes as long as all the arithmetic of one vector.
HWY_ATTR Moments momentsOf(std::span<const float> values, double sum) {
    const DoubleTag d;
    const HalfTag half;
    const std::size_t lanes = hn::Lanes(d);
    Moments moments;
    if (values.empty()) return moments;
    moments.n = values.size();
    moments.mean = sum / static_cast<double>(values.size());
    const auto mean = hn::Set(d, moments.mean);
    auto squares0 = hn::Zero(d), squares1 = squares0;
    auto cubes0 = squares0, cubes1 = squares0;
    auto fourths0 = squares0, fourths1 = squares0;
    std::size_t at = 0;
    for (; at + 2 * lanes <= values.size(); at += 2 * lanes) {
        const auto distance0 = hn::Sub(hn::PromoteTo(d, hn::LoadU(half, values.data() + at)), mean);
        const auto distance1 = hn::Sub(hn::PromoteTo(d, hn::LoadU(half, values.data() + at + lanes)), mean);
        const auto square0 = hn::Mul(distance0, distance0);
        const auto square1 = hn::Mul(distance1, distance1);
        squares0 = hn::Add(squares0, square0);
        squares1 = hn::Add(squares1, square1);
        cubes0 = hn::MulAdd(square0, distance0, cubes0);
        cubes1 = hn::MulAdd(square1, distance1, cubes1);
        fourths0 = hn::MulAdd(square0, square0, fourths0);
        fourths1 = hn::MulAdd(square1, square1, fourths1);
    }
    moments.m2 = hn::GetLane(hn::SumOfLanes(d, hn::Add(squares0, squares1)));
    moments.m3 = hn::GetLane(hn::SumOfLanes(d, hn::Add(cubes0, cubes1)));
    moments.m4 = hn::GetLane(hn::SumOfLanes(d, hn::Add(fourths0, fourths1)));
    for (; at < values.size(); ++at) {
        const double distance = double{values[at]} - moments.mean;
        moments.m2 += distance * distance;
        moments.m3 += distance * distance * distance;
        moments.m4 += distance * distance * (distance * distance);
    }
    return moments;
}

HWY_ATTR std::size_t select(std::span<const float> values, const WordSet& upperHalves, float* out) {
    const FloatTag f;
    const IntTag i;
    const WordTag u;
    const std::size_t lanes = hn::Lanes(f);
    const std::uint32_t* const bits = upperHalves.bits();
    const auto lowFive = hn::Set(u, 31);
    const auto one = hn::Set(u, 1);
    std::size_t count = 0;
    std::size_t at = 0;
    for (; at + lanes <= values.size(); at += lanes) {
        const auto value = hn::LoadU(f, values.data() + at);
        const auto word = hn::ShiftRight<16>(hn::BitCast(u, value));
        const auto group = hn::GatherIndex(u, bits, hn::BitCast(i, hn::ShiftRight<5>(word)));
        const auto bit = hn::Shl(one, hn::And(word, lowFive));
        count += hn::CompressStore(value, hn::RebindMask(f, hn::TestBit(group, bit)), f, out + count);
    }
    return count + scalar::select(values.subspan(at), upperHalves, out + count);
}

HWY_ATTR void binsOf(std::span<const float> values, const BinRule& rule, std::uint32_t* out) {
    const DoubleTag d;
    const HalfTag half;
    const hn::Rebind<std::int32_t, DoubleTag> i;
    const hn::Rebind<std::uint32_t, DoubleTag> u;
    const std::size_t lanes = hn::Lanes(d);
    if (rule.range() == 0) return scalar::binsOf(values, rule, out);
    const auto low = hn::Set(d, rule.low());
    const auto range = hn::Set(d, rule.range());
    const auto bins = hn::Set(d, rule.bins());
    const auto last = hn::Set(i, static_cast<std::int32_t>(rule.bins()) - 1);
    std::size_t at = 0;
    for (; at + lanes <= values.size(); at += lanes) { // f32 terms never need the scale
        const auto value = hn::PromoteTo(d, hn::LoadU(half, values.data() + at));
        const auto position = hn::Mul(hn::Div(hn::Sub(value, low), range), bins);
        hn::StoreU(hn::BitCast(u, hn::Min(hn::DemoteTo(i, position), last)), u, out + at);
    }
    scalar::binsOf(values.subspan(at), rule, out + at);
}

HWY_ATTR std::uint16_t greatestMagnitude(std::span<const std::uint16_t> words) {
    const hn::ScalableTag<std::uint16_t> u;
    const std::size_t lanes = hn::Lanes(u);
    const auto withoutSign = hn::Set(u, 0x7FFF);
    auto greatest = hn::Zero(u);
    std::size_t at = 0;
    for (; at + lanes <= words.size(); at += lanes)
        greatest = hn::Max(greatest, hn::And(hn::LoadU(u, words.data() + at), withoutSign));
    std::uint16_t result = scalar::greatestMagnitude(words.subspan(at));
    HWY_ALIGN std::uint16_t all[hn::MaxLanes(u)];
    hn::Store(greatest, u, all);
    for (std::size_t lane = 0; lane < lanes; ++lane) result = std::max(result, all[lane]);
    return result;
}

} // namespace wb::stats::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::stats {

HWY_EXPORT(rangeOf);
HWY_EXPORT(countTiny);
HWY_EXPORT(momentsOf);
HWY_EXPORT(select);
HWY_EXPORT(binsOf);
HWY_EXPORT(greatestMagnitude);

TileRange rangeOf(std::span<const float> values) { return HWY_DYNAMIC_DISPATCH(rangeOf)(values); }

TinyCounts countTiny(std::span<const float> values) { return HWY_DYNAMIC_DISPATCH(countTiny)(values); }

Moments momentsOf(std::span<const float> values, double sum) { return HWY_DYNAMIC_DISPATCH(momentsOf)(values, sum); }

std::size_t select(std::span<const float> values, const WordSet& upperHalves, float* out) {
    return HWY_DYNAMIC_DISPATCH(select)(values, upperHalves, out);
}

void binsOf(std::span<const float> values, const BinRule& rule, std::uint32_t* out) {
    HWY_DYNAMIC_DISPATCH(binsOf)(values, rule, out);
}

std::uint16_t greatestMagnitude(std::span<const std::uint16_t> words) { return HWY_DYNAMIC_DISPATCH(greatestMagnitude)(words); }

} // namespace wb::stats
#endif
