// SPDX-License-Identifier: MIT
#include "core/infer/cpu/rows_simd.h"

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
HWY_INLINE void scoreSlice(const ScoreTask& task, std::size_t q, std::size_t tile, std::size_t lane) {
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
void scores(const ScoreTask& task) {
    for (std::size_t tile = task.firstTile; tile < task.endTile; ++tile)
        for (std::size_t lane = 0; lane < keyTile; lane += lanes) {
            std::size_t q = 0;
            for (; q + 4 <= task.count; q += 4) scoreSlice<Stored, 4>(task, q, tile, lane);
            for (; q < task.count; ++q) scoreSlice<Stored, 1>(task, q, tile, lane);
        }
}

// A lane is a dimension.
template <class Stored, std::size_t Q, class D>
HWY_INLINE void mixSlice(D d, const MixTask& task, std::size_t q, std::size_t dimension) {
    hn::Vec<D> sums[Q];
    for (auto& sum : sums) sum = hn::Zero(d);
    const float* const probabilities = task.probabilities + q * task.probabilityStride;
    for (std::size_t p = task.first; p < task.end; ++p) {
        const auto value = loadCached<Stored>(d, task.values, p * task.dimensions + dimension);
        for (std::size_t i = 0; i < Q; ++i)
            sums[i] = hn::MulAdd(hn::Set(d, probabilities[i * task.probabilityStride + p]), value, sums[i]);
    }
    for (std::size_t i = 0; i < Q; ++i) hn::StoreU(sums[i], d, task.out + (q + i) * task.outStride + dimension);
}

template <class Stored, class D>
HWY_INLINE void mixQueries(D d, const MixTask& task, std::size_t dimension) {
    std::size_t q = 0;
    for (; q + 4 <= task.count; q += 4) mixSlice<Stored, 4>(d, task, q, dimension);
    for (; q < task.count; ++q) mixSlice<Stored, 1>(d, task, q, dimension);
}

template <class Stored>
void mix(const MixTask& task) {
    std::size_t dimension = 0;
    for (; dimension + lanes <= task.dimensions; dimension += lanes) mixQueries<Stored>(Floats(), task, dimension);
    for (; dimension < task.dimensions; ++dimension) mixQueries<Stored>(hn::CappedTag<float, 1>(), task, dimension);
}

} // namespace

AttentionForms attentionForms() { return {{scores<hwy::float16_t>, scores<float>}, {mix<hwy::float16_t>, mix<float>}}; }

} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::infer::cpu {

HWY_EXPORT(attentionForms);

AttentionForms attentionSimd() { return HWY_DYNAMIC_DISPATCH(attentionForms)(); }

} // namespace wb::infer::cpu
#endif
