// SPDX-License-Identifier: MIT
#include "core/infer/cpu/rows_simd.h"

#include "core/tensor/half.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/infer/cpu/attention_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, keyTile>;
using VF = hn::Vec<Floats>;
constexpr std::size_t lanes = hn::MaxLanes(Floats());

template <class Stored, class D>
HWY_INLINE hn::Vec<D> loadCached(D d, const void* base, std::size_t index) {
    if constexpr (std::is_same_v<Stored, float>) return hn::LoadU(d, static_cast<const float*>(base) + index);
    else return hn::PromoteTo(d, hn::LoadU(hn::Rebind<Stored, D>(), static_cast<const Stored*>(base) + index));
}

// A lane is a position: no sum crosses lanes.
template <class Stored, std::size_t Q>
HWY_INLINE void scoreSlice(const KeyScores& task, std::size_t q, std::size_t tile, std::size_t lane) {
    VF sums[Q];
    for (VF& sum : sums) sum = hn::Zero(Floats());
    const std::size_t base = tile * task.dimensions * keyTile + lane;
    const float* const queries = task.queries + q * task.queryStride;
    for (std::size_t d = 0; d < task.dimensions; ++d) {
        const VF key = loadCached<Stored>(Floats(), task.keys, base + d * keyTile);
        for (std::size_t i = 0; i < Q; ++i)
            sums[i] = hn::MulAdd(hn::Set(Floats(), queries[i * task.queryStride + d]), key, sums[i]);
    }
    for (std::size_t i = 0; i < Q; ++i)
        hn::StoreU(hn::Mul(sums[i], hn::Set(Floats(), task.scale)), Floats(),
                   task.out + (q + i) * task.outStride + tile * keyTile + lane);
}

template <class Stored>
void scoreKeys(const KeyScores& task) {
    for (std::size_t tile = task.firstTile; tile < task.endTile; ++tile)
        for (std::size_t lane = 0; lane < keyTile; lane += lanes) {
            std::size_t q = 0;
            for (; q + 4 <= task.count; q += 4) scoreSlice<Stored, 4>(task, q, tile, lane);
            for (; q < task.count; ++q) scoreSlice<Stored, 1>(task, q, tile, lane);
        }
}

template <std::size_t Q, class D>
HWY_INLINE void beginSums(D d, const ValueSums& task, std::size_t q, std::size_t dimension, hn::Vec<D> (&sums)[Q]) {
    for (std::size_t i = 0; i < Q; ++i)
        sums[i] = task.goesOn ? hn::LoadU(d, task.out + (q + i) * task.outStride + dimension) : hn::Zero(d);
}

// A lane is a dimension.
template <class Stored, std::size_t Q, class D>
HWY_INLINE void sumSlice(D d, const ValueSums& task, std::size_t q, std::size_t dimension) {
    hn::Vec<D> sums[Q];
    beginSums(d, task, q, dimension, sums);
    const float* const probabilities = task.probabilities + q * task.probabilityStride;
    for (std::size_t p = task.first; p < task.end; ++p) {
        const auto value = loadCached<Stored>(d, task.values, p * task.dimensions + dimension);
        for (std::size_t i = 0; i < Q; ++i)
            sums[i] = hn::MulAdd(hn::Set(d, probabilities[i * task.probabilityStride + p]), value, sums[i]);
    }
    for (std::size_t i = 0; i < Q; ++i) hn::StoreU(sums[i], d, task.out + (q + i) * task.outStride + dimension);
}

template <class Stored, class D>
HWY_INLINE void sumQueries(D d, const ValueSums& task, std::size_t dimension) {
    std::size_t q = 0;
    for (; q + 4 <= task.count; q += 4) sumSlice<Stored, 4>(d, task, q, dimension);
    for (; q < task.count; ++q) sumSlice<Stored, 1>(d, task, q, dimension);
}

template <class Stored>
void sumValues(const ValueSums& task) {
    std::size_t dimension = 0;
    for (; dimension + lanes <= task.dimensions; dimension += lanes) sumQueries<Stored>(Floats(), task, dimension);
    for (; dimension < task.dimensions; ++dimension) sumQueries<Stored>(hn::CappedTag<float, 1>(), task, dimension);
}

// ---- Q8_0: codes are multiplied as they are, and each group's sum by its scale

template <class D>
HWY_INLINE hn::Vec<D> loadCodes(D d, const std::byte* at) {
    const auto codes = hn::LoadU(hn::Rebind<std::int8_t, D>(), reinterpret_cast<const std::int8_t*>(at));
    return hn::ConvertTo(d, hn::PromoteTo(hn::RebindToSigned<D>(), codes));
}

template <std::size_t Q>
HWY_INLINE void scoreSliceQ8(const KeyScores& task, std::size_t q, const std::byte* tile, float* out, std::size_t lane) {
    VF sums[Q], parts[Q];
    for (VF& sum : sums) sum = hn::Zero(Floats());
    const float* const queries = task.queries + q * task.queryStride;
    const std::byte* const scales = tile + keyTile * task.dimensions + 2 * lane;
    for (std::size_t first = 0; first < task.dimensions; first += cacheGroup) {
        for (VF& part : parts) part = hn::Zero(Floats());
        for (std::size_t d = first; d < std::min(first + cacheGroup, task.dimensions); ++d) {
            const VF key = loadCodes(Floats(), tile + d * keyTile + lane);
            for (std::size_t i = 0; i < Q; ++i)
                parts[i] = hn::MulAdd(hn::Set(Floats(), queries[i * task.queryStride + d]), key, parts[i]);
        }
        const VF scale = loadCached<hwy::float16_t>(Floats(), scales, first / cacheGroup * keyTile);
        for (std::size_t i = 0; i < Q; ++i) sums[i] = hn::MulAdd(parts[i], scale, sums[i]);
    }
    for (std::size_t i = 0; i < Q; ++i)
        hn::StoreU(hn::Mul(sums[i], hn::Set(Floats(), task.scale)), Floats(), out + (q + i) * task.outStride);
}

void scoreKeysQ8_0(const KeyScores& task) {
    const std::size_t tileBytes = keyTile * positionBytes(CacheType::Q8_0, task.dimensions);
    for (std::size_t t = task.firstTile; t < task.endTile; ++t)
        for (std::size_t lane = 0; lane < keyTile; lane += lanes) {
            const std::byte* const tile = static_cast<const std::byte*>(task.keys) + t * tileBytes;
            float* const out = task.out + t * keyTile + lane;
            std::size_t q = 0;
            for (; q + 4 <= task.count; q += 4) scoreSliceQ8<4>(task, q, tile, out, lane);
            for (; q < task.count; ++q) scoreSliceQ8<1>(task, q, tile, out, lane);
        }
}

template <std::size_t Q, class D>
HWY_INLINE void sumSliceQ8(D d, const ValueSums& task, std::size_t q, std::size_t dimension) {
    hn::Vec<D> sums[Q];
    beginSums(d, task, q, dimension, sums);
    const std::size_t rowBytes = positionBytes(CacheType::Q8_0, task.dimensions);
    const float* const probabilities = task.probabilities + q * task.probabilityStride;
    for (std::size_t p = task.first; p < task.end; ++p) {
        const std::byte* const row = static_cast<const std::byte*>(task.values) + p * rowBytes;
        const float scale = loadF16(row + task.dimensions + 2 * (dimension / cacheGroup));
        const auto value = loadCodes(d, row + dimension);
        for (std::size_t i = 0; i < Q; ++i)
            sums[i] = hn::MulAdd(hn::Set(d, probabilities[i * task.probabilityStride + p] * scale), value, sums[i]);
    }
    for (std::size_t i = 0; i < Q; ++i) hn::StoreU(sums[i], d, task.out + (q + i) * task.outStride + dimension);
}

template <class D>
HWY_INLINE void sumQueriesQ8(D d, const ValueSums& task, std::size_t dimension) {
    std::size_t q = 0;
    for (; q + 4 <= task.count; q += 4) sumSliceQ8<4>(d, task, q, dimension);
    for (; q < task.count; ++q) sumSliceQ8<1>(d, task, q, dimension);
}

// A vector is in one group, because both lengths are powers of two.
void sumValuesQ8_0(const ValueSums& task) {
    std::size_t dimension = 0;
    for (; dimension + lanes <= task.dimensions; dimension += lanes) sumQueriesQ8(Floats(), task, dimension);
    for (; dimension < task.dimensions; ++dimension) sumQueriesQ8(hn::CappedTag<float, 1>(), task, dimension);
}

} // namespace

AttentionForms attentionForms() {
    return {{scoreKeys<hwy::float16_t>, scoreKeys<float>, scoreKeysQ8_0},
            {sumValues<hwy::float16_t>, sumValues<float>, sumValuesQ8_0}};
}

} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::infer::cpu {

HWY_EXPORT(attentionForms);

AttentionForms attentionSimd() { return HWY_DYNAMIC_DISPATCH(attentionForms)(); }

} // namespace wb::infer::cpu
#endif
