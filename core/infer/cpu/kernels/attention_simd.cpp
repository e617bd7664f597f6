// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/rows_simd.h"
#include "core/infer/cpu/kernels/unroll.h"

#include "core/tensor/half.h"

#include <algorithm>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/infer/cpu/kernels/attention_simd.cpp"
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

// Queries and vectors side by side: as many sums as hide the time of an addition.
constexpr std::size_t sumsAtOnce = 8, vectorsAtOnce = std::min<std::size_t>(2, keyTile / lanes),
                      queriesAtOnce = sumsAtOnce / vectorsAtOnce;

// Calls use(Q, q) for runs of Q queries.
template <class Use>
HWY_INLINE void forQueries(std::size_t count, Use use) {
    std::size_t q = 0;
    for (; q + queriesAtOnce <= count; q += queriesAtOnce) use(std::integral_constant<std::size_t, queriesAtOnce>(), q);
    if constexpr (queriesAtOnce > 4)
        if (q + 4 <= count) {
            use(std::integral_constant<std::size_t, 4>(), q);
            q += 4;
        }
    for (; q < count; ++q) use(std::integral_constant<std::size_t, 1>(), q);
}

// A lane is a position: no sum crosses lanes.
template <class Stored, std::size_t Q>
HWY_INLINE void scoreSlice(const KeyScores& task, std::size_t q, std::size_t tile, std::size_t lane) {
    VF sums[Q][vectorsAtOnce];
    WB_UNROLL for (std::size_t i = 0; i < Q; ++i) {
        WB_UNROLL for (std::size_t v = 0; v < vectorsAtOnce; ++v) { sums[i][v] = hn::Zero(Floats()); }
    }
    const std::size_t base = tile * task.dimensions * keyTile + lane;
    const float* const queries = task.queries + q * task.queryStride;
    for (std::size_t d = 0; d < task.dimensions; ++d) {
        VF keys[vectorsAtOnce];
        WB_UNROLL for (std::size_t v = 0; v < vectorsAtOnce; ++v) {
            keys[v] = loadCached<Stored>(Floats(), task.keys, base + d * keyTile + v * lanes);
        }
        WB_UNROLL for (std::size_t i = 0; i < Q; ++i) {
            const VF query = hn::Set(Floats(), queries[i * task.queryStride + d]);
            WB_UNROLL for (std::size_t v = 0; v < vectorsAtOnce; ++v) { sums[i][v] = hn::MulAdd(query, keys[v], sums[i][v]); }
        }
    }
    const VF scale = hn::Set(Floats(), task.scale);
    float* const out = task.out + q * task.outStride + tile * keyTile + lane;
    WB_UNROLL for (std::size_t i = 0; i < Q; ++i) {
        WB_UNROLL for (std::size_t v = 0; v < vectorsAtOnce; ++v) {
            hn::StoreU(hn::Mul(sums[i][v], scale), Floats(), out + i * task.outStride + v * lanes);
        }
    }
}

template <class Stored>
void scoreKeys(const KeyScores& task) {
    for (std::size_t tile = task.firstTile; tile < task.endTile; ++tile)
        for (std::size_t lane = 0; lane < keyTile; lane += vectorsAtOnce * lanes)
            forQueries(task.count, [&](auto queries, std::size_t q)
                                       HWY_ATTR { scoreSlice<Stored, decltype(queries)::value>(task, q, tile, lane); });
}

template <std::size_t Q, std::size_t V, class D>
HWY_INLINE void beginSums(D d, const ValueSums& task, const float* out, hn::Vec<D> (&sums)[Q][V]) {
    WB_UNROLL for (std::size_t i = 0; i < Q; ++i) {
        WB_UNROLL for (std::size_t v = 0; v < V; ++v) {
            sums[i][v] = task.goesOn ? hn::LoadU(d, out + i * task.outStride + v * hn::MaxLanes(d)) : hn::Zero(d);
        }
    }
}

template <std::size_t Q, std::size_t V, class D>
HWY_INLINE void endSums(D d, const ValueSums& task, const hn::Vec<D> (&sums)[Q][V], float* out) {
    WB_UNROLL for (std::size_t i = 0; i < Q; ++i) {
        WB_UNROLL for (std::size_t v = 0; v < V; ++v) { hn::StoreU(sums[i][v], d, out + i * task.outStride + v * hn::MaxLanes(d)); }
    }
}

// A lane is a dimension; V vectors of them.
template <class Stored, std::size_t Q, std::size_t V, class D>
HWY_INLINE void sumSlice(D d, const ValueSums& task, std::size_t q, std::size_t dimension) {
    hn::Vec<D> sums[Q][V];
    float* const out = task.out + q * task.outStride + dimension;
    beginSums(d, task, out, sums);
    const float* const probabilities = task.probabilities + q * task.probabilityStride;
    for (std::size_t p = task.first; p < task.end; ++p) {
        hn::Vec<D> values[V];
        WB_UNROLL for (std::size_t v = 0; v < V; ++v) {
            values[v] = loadCached<Stored>(d, task.values, p * task.dimensions + dimension + v * hn::MaxLanes(d));
        }
        WB_UNROLL for (std::size_t i = 0; i < Q; ++i) {
            const auto probability = hn::Set(d, probabilities[i * task.probabilityStride + p]);
            WB_UNROLL for (std::size_t v = 0; v < V; ++v) { sums[i][v] = hn::MulAdd(probability, values[v], sums[i][v]); }
        }
    }
    endSums(d, task, sums, out);
}

// Calls use(V, d, dimension) for all dimensions: V vectors of d from there on.
template <class Use>
HWY_INLINE void forDimensions(std::size_t dimensions, Use use) {
    std::size_t i = 0;
    for (; i + vectorsAtOnce * lanes <= dimensions; i += vectorsAtOnce * lanes)
        use(std::integral_constant<std::size_t, vectorsAtOnce>(), Floats(), i);
    for (; i + lanes <= dimensions; i += lanes) use(std::integral_constant<std::size_t, 1>(), Floats(), i);
    for (; i < dimensions; ++i) use(std::integral_constant<std::size_t, 1>(), hn::CappedTag<float, 1>(), i);
}

template <class Stored>
void sumValues(const ValueSums& task) {
    forDimensions(task.dimensions, [&](auto vectors, auto d, std::size_t dimension) HWY_ATTR {
        forQueries(task.count, [&](auto queries, std::size_t q) HWY_ATTR {
            sumSlice<Stored, decltype(queries)::value, decltype(vectors)::value>(d, task, q, dimension);
        });
    });
}

// ---- Q8_0: codes are multiplied as they are, and each group's sum by its scale

template <class D>
HWY_INLINE hn::Vec<D> loadCodes(D d, const std::byte* at) {
    const auto codes = hn::LoadU(hn::Rebind<std::int8_t, D>(), reinterpret_cast<const std::int8_t*>(at));
    return hn::ConvertTo(d, hn::PromoteTo(hn::RebindToSigned<D>(), codes));
}

template <std::size_t Q>
HWY_INLINE void scoreSliceQ8(const KeyScores& task, std::size_t q, const std::byte* tile, float* out, std::size_t lane) {
    VF sums[Q];
    WB_UNROLL for (std::size_t i = 0; i < Q; ++i) { sums[i] = hn::Zero(Floats()); }
    const float* const queries = task.queries + q * task.queryStride;
    const std::byte* const scales = tile + keyTile * task.dimensions + 2 * lane;
    for (std::size_t first = 0; first < task.dimensions; first += cacheGroup) {
        VF parts[Q];
        WB_UNROLL for (std::size_t i = 0; i < Q; ++i) { parts[i] = hn::Zero(Floats()); }
        for (std::size_t d = first; d < std::min(first + cacheGroup, task.dimensions); ++d) {
            const VF key = loadCodes(Floats(), tile + d * keyTile + lane);
            WB_UNROLL for (std::size_t i = 0; i < Q; ++i) {
                parts[i] = hn::MulAdd(hn::Set(Floats(), queries[i * task.queryStride + d]), key, parts[i]);
            }
        }
        const VF scale = loadCached<hwy::float16_t>(Floats(), scales, first / cacheGroup * keyTile);
        WB_UNROLL for (std::size_t i = 0; i < Q; ++i) { sums[i] = hn::MulAdd(parts[i], scale, sums[i]); }
    }
    const VF scale = hn::Set(Floats(), task.scale);
    WB_UNROLL for (std::size_t i = 0; i < Q; ++i) { hn::StoreU(hn::Mul(sums[i], scale), Floats(), out + (q + i) * task.outStride); }
}

void scoreKeysQ8_0(const KeyScores& task) {
    const std::size_t tileBytes = keyTile * positionBytes(CacheType::Q8_0, task.dimensions);
    for (std::size_t t = task.firstTile; t < task.endTile; ++t)
        for (std::size_t lane = 0; lane < keyTile; lane += lanes) {
            const std::byte* const tile = static_cast<const std::byte*>(task.keys) + t * tileBytes;
            float* const out = task.out + t * keyTile + lane;
            forQueries(task.count, [&](auto queries, std::size_t q)
                                       HWY_ATTR { scoreSliceQ8<decltype(queries)::value>(task, q, tile, out, lane); });
        }
}

template <std::size_t Q, class D>
HWY_INLINE void sumSliceQ8(D d, const ValueSums& task, std::size_t q, std::size_t dimension) {
    hn::Vec<D> sums[Q][1];
    float* const out = task.out + q * task.outStride + dimension;
    beginSums(d, task, out, sums);
    const std::size_t rowBytes = positionBytes(CacheType::Q8_0, task.dimensions);
    const float* const probabilities = task.probabilities + q * task.probabilityStride;
    for (std::size_t p = task.first; p < task.end; ++p) {
        const std::byte* const row = static_cast<const std::byte*>(task.values) + p * rowBytes;
        const float scale = loadF16(row + task.dimensions + 2 * (dimension / cacheGroup));
        const auto value = loadCodes(d, row + dimension);
        WB_UNROLL for (std::size_t i = 0; i < Q; ++i) {
            sums[i][0] = hn::MulAdd(hn::Set(d, probabilities[i * task.probabilityStride + p] * scale), value, sums[i][0]);
        }
    }
    endSums(d, task, sums, out);
}

template <class D>
HWY_INLINE void sumQueriesQ8(D d, const ValueSums& task, std::size_t dimension) {
    forQueries(task.count,
               [&](auto queries, std::size_t q) HWY_ATTR { sumSliceQ8<decltype(queries)::value>(d, task, q, dimension); });
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
