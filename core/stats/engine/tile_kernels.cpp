// SPDX-License-Identifier: MIT
#include "core/stats/rules.h"
#include "core/stats/engine/tile_kernels.h"

#include <algorithm>
#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/stats/engine/tile_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace wb::stats::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR // without vectors the twins are the best form

using scalar::computeMoments;
using scalar::computeRange;
using scalar::countTiny;
using scalar::maxMagnitude;
using scalar::select;
using scalar::spreadPairs;

void binsOf8(std::span<const float> values, const BinRule& rule, std::uint8_t* out) { scalar::assignBins(values, rule, out); }
void binsOf32(std::span<const float> values, const BinRule& rule, std::uint32_t* out) { scalar::assignBins(values, rule, out); }

#else

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using IntTag = hn::RebindToSigned<FloatTag>;
using WordTag = hn::RebindToUnsigned<FloatTag>;
using DoubleTag = hn::ScalableTag<double>;
using HalfTag = hn::Rebind<float, DoubleTag>; // as many f32 as one vector holds f64

HWY_ATTR TileRange computeRange(std::span<const float> values) {
    const FloatTag f;
    const IntTag i;
    const WordTag u;
    const DoubleTag d;
    const HalfTag half;
    const std::size_t lanes = hn::Lanes(f);
    const std::size_t halfLanes = hn::Lanes(d);
    const auto withoutSign = hn::Set(i, INT32_MAX);
    auto min = hn::Set(i, INT32_MAX);
    auto max = hn::Set(i, INT32_MIN);
    auto minMagnitude = hn::Set(u, UINT32_MAX);
    auto sum0 = hn::Zero(d);
    auto sum1 = hn::Zero(d);
    std::size_t at = 0;
    for (; at + lanes <= values.size(); at += lanes) {
        const float* from = values.data() + at;
        const auto bits = hn::BitCast(i, hn::LoadU(f, from));
        const auto sorted = hn::Xor(bits, hn::And(hn::ShiftRight<31>(bits), withoutSign));
        min = hn::Min(min, sorted);
        max = hn::Max(max, sorted);
        minMagnitude = hn::Min(minMagnitude, hn::BitCast(u, hn::And(bits, withoutSign)));
        sum0 = hn::Add(sum0, hn::PromoteTo(d, hn::LoadU(half, from)));
        sum1 = hn::Add(sum1, hn::PromoteTo(d, hn::LoadU(half, from + halfLanes)));
    }
    TileRange range = scalar::computeRange(values.subspan(at));
    range.min = std::min(range.min, hn::GetLane(hn::MinOfLanes(i, min)));
    range.max = std::max(range.max, hn::GetLane(hn::MaxOfLanes(i, max)));
    range.minMagnitude = std::min(range.minMagnitude, hn::GetLane(hn::MinOfLanes(u, minMagnitude)));
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
HWY_ATTR Moments computeMoments(std::span<const float> values, double sum) {
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

// Two vectors at a time give one vector of upper halves, which is compared with all wanted ones. Free of branches: most vectors
// hold a wanted value or two, which no branch prediction foresees.
HWY_ATTR std::size_t select(std::span<const float> values, const UpperHalves& wanted, float* out) {
    const FloatTag f;
    const hn::Repartition<std::uint16_t, FloatTag> h;
    const std::size_t lanes = hn::Lanes(f);
    constexpr std::size_t halves = hn::MaxLanes(h);
    HWY_ALIGN std::uint16_t spread[UpperHalves::capacity * halves]; // to broadcast each again would cost as much as to compare it
    for (std::size_t i = 0; i < UpperHalves::capacity; ++i) hn::Store(hn::Set(h, wanted[i]), h, spread + i * halves);
    std::size_t count = 0;
    std::size_t at = 0;
    for (; at + 2 * lanes <= values.size(); at += 2 * lanes) {
        const auto low = hn::LoadU(f, values.data() + at);
        const auto high = hn::LoadU(f, values.data() + at + lanes);
        const auto uppers = hn::ConcatOdd(h, hn::BitCast(h, high), hn::BitCast(h, low));
        auto any = hn::Ne(uppers, uppers);
        for (std::size_t i = 0; i < UpperHalves::capacity; i += 4) {
            const std::uint16_t* four = spread + i * halves;
            const auto first = hn::Or(hn::Eq(uppers, hn::Load(h, four)), hn::Eq(uppers, hn::Load(h, four + halves)));
            const auto second =
                hn::Or(hn::Eq(uppers, hn::Load(h, four + 2 * halves)), hn::Eq(uppers, hn::Load(h, four + 3 * halves)));
            any = hn::Or(any, hn::Or(first, second));
        }
        std::array<std::uint8_t, 8> lowBits{};
        hn::StoreMaskBits(h, any, lowBits.data());
        const auto bits = std::bit_cast<std::uint64_t>(lowBits);
        const auto highBits = std::bit_cast<std::array<std::uint8_t, 8>>(bits >> lanes);
        hn::StoreU(hn::CompressBits(low, lowBits.data()), f, out + count);
        count += static_cast<std::size_t>(std::popcount(bits & ((std::uint64_t{1} << lanes) - 1)));
        hn::StoreU(hn::CompressBits(high, highBits.data()), f, out + count);
        count += static_cast<std::size_t>(std::popcount(bits >> lanes));
    }
    return count + scalar::select(values.subspan(at), wanted, out + count);
}

// The position is estimated in f32; its relative error is below 2^-22 (three roundings). It is rounded to whole numbers twice, by
// adding 2^23, once a margin lower and once a margin higher: only where the two differ, near a bound, the exact rule is needed.
// Which values these are is noted without a branch and made good afterwards. Ranges next to the usual magnitudes, whose estimate
// could overflow or vanish, take the exact rule always.
template <typename Bin, typename StoreBins>
HWY_INLINE HWY_ATTR void estimateBins(std::span<const float> values, const BinRule& rule, Bin* out, StoreBins storeBins) {
    const FloatTag f;
    const IntTag i;
    const std::size_t lanes = hn::Lanes(f);
    constexpr std::size_t piece = 1024;
    HWY_ALIGN std::int32_t unsure[piece + hn::MaxLanes(i)];
    if (!(rule.range() > 0x1p-100 && rule.range() < 0x1p100)) return scalar::assignBins(values, rule, out);
    const auto low = hn::Set(f, static_cast<float>(rule.low()));
    const auto perBin = hn::Set(f, static_cast<float>(rule.bins() / rule.range()));
    const float margin = static_cast<float>(rule.bins() * 0x1p-21);
    const auto lower = hn::Set(f, -0.5f - margin);
    const auto higher = hn::Set(f, -0.5f + margin);
    const auto toWhole = hn::Set(f, 0x1p23f + 1); // 1 more, so that the lowest position does not fall below 2^23
    const auto wholeZero = hn::BitCast(i, toWhole);
    const auto step = hn::Set(i, static_cast<std::int32_t>(lanes));
    std::size_t begin = 0;
    for (; begin + lanes <= values.size(); begin += std::min(piece, values.size() - begin) / lanes * lanes) {
        const std::size_t end = begin + std::min(piece, values.size() - begin) / lanes * lanes;
        std::size_t unsureCount = 0;
        auto indices = hn::Iota(i, static_cast<std::int32_t>(begin));
        for (std::size_t at = begin; at < end; at += lanes) {
            const auto distance = hn::Sub(hn::LoadU(f, values.data() + at), low);
            const auto bins = hn::BitCast(i, hn::Add(hn::MulAdd(distance, perBin, lower), toWhole));
            const auto mayBe = hn::BitCast(i, hn::Add(hn::MulAdd(distance, perBin, higher), toWhole));
            storeBins(hn::Sub(bins, wholeZero), out + at);
            const auto nearBound = hn::Ne(bins, mayBe);
            hn::StoreU(hn::Compress(indices, nearBound), i, unsure + unsureCount);
            unsureCount += hn::CountTrue(i, nearBound);
            indices = hn::Add(indices, step);
        }
        for (std::size_t n = 0; n < unsureCount; ++n) {
            const auto at = static_cast<std::size_t>(unsure[n]);
            out[at] = static_cast<Bin>(rule(double{values[at]}));
        }
    }
    scalar::assignBins(values.subspan(begin), rule, out + begin);
}

HWY_ATTR void binsOf8(std::span<const float> values, const BinRule& rule, std::uint8_t* out) {
    const hn::Rebind<std::uint8_t, FloatTag> bytes;
    estimateBins(values, rule, out,
                 [&](auto bins, std::uint8_t* to) HWY_ATTR { hn::StoreU(hn::U8FromU32(hn::BitCast(WordTag(), bins)), bytes, to); });
}

HWY_ATTR void spreadPairs(std::span<std::uint16_t> pairs) {
    const hn::ScalableTag<std::uint16_t> u;
    const std::size_t lanes = hn::Lanes(u);
    const auto changed = hn::Set(u, 0xF0);
    std::size_t at = 0;
    for (; at + lanes <= pairs.size(); at += lanes) {
        const auto pair = hn::LoadU(u, pairs.data() + at);
        hn::StoreU(hn::Xor(pair, hn::And(hn::ShiftRight<4>(pair), changed)), u, pairs.data() + at);
    }
    scalar::spreadPairs(pairs.subspan(at));
}

HWY_ATTR void binsOf32(std::span<const float> values, const BinRule& rule, std::uint32_t* out) {
    const WordTag words;
    estimateBins(values, rule, out,
                 [&](auto bins, std::uint32_t* to) HWY_ATTR { hn::StoreU(hn::BitCast(words, bins), words, to); });
}

HWY_ATTR std::uint16_t maxMagnitude(std::span<const std::uint16_t> words) {
    const hn::ScalableTag<std::uint16_t> u;
    const std::size_t lanes = hn::Lanes(u);
    const auto withoutSign = hn::Set(u, 0x7FFF);
    auto max = hn::Zero(u);
    std::size_t at = 0;
    for (; at + lanes <= words.size(); at += lanes) max = hn::Max(max, hn::And(hn::LoadU(u, words.data() + at), withoutSign));
    std::uint16_t result = scalar::maxMagnitude(words.subspan(at));
    HWY_ALIGN std::uint16_t all[hn::MaxLanes(u)];
    hn::Store(max, u, all);
    for (std::size_t lane = 0; lane < lanes; ++lane) result = std::max(result, all[lane]);
    return result;
}

#endif

} // namespace wb::stats::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::stats {

HWY_EXPORT(computeRange);
HWY_EXPORT(countTiny);
HWY_EXPORT(computeMoments);
HWY_EXPORT(select);
HWY_EXPORT(binsOf8);
HWY_EXPORT(binsOf32);
HWY_EXPORT(spreadPairs);
HWY_EXPORT(maxMagnitude);

TileRange computeRange(std::span<const float> values) { return HWY_DYNAMIC_DISPATCH(computeRange)(values); }

TinyCounts countTiny(std::span<const float> values) { return HWY_DYNAMIC_DISPATCH(countTiny)(values); }

Moments computeMoments(std::span<const float> values, double sum) { return HWY_DYNAMIC_DISPATCH(computeMoments)(values, sum); }

std::size_t select(std::span<const float> values, const UpperHalves& wanted, float* out) {
    return HWY_DYNAMIC_DISPATCH(select)(values, wanted, out);
}

void assignBins(std::span<const float> values, const BinRule& rule, std::uint8_t* out) {
    HWY_DYNAMIC_DISPATCH(binsOf8)(values, rule, out);
}

void assignBins(std::span<const float> values, const BinRule& rule, std::uint32_t* out) {
    HWY_DYNAMIC_DISPATCH(binsOf32)(values, rule, out);
}

void spreadPairs(std::span<std::uint16_t> pairs) { HWY_DYNAMIC_DISPATCH(spreadPairs)(pairs); }

std::uint16_t maxMagnitude(std::span<const std::uint16_t> words) { return HWY_DYNAMIC_DISPATCH(maxMagnitude)(words); }

} // namespace wb::stats
#endif
