// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/rows_simd.h"

#include "core/infer/cpu/kernels/exact.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <type_traits>

namespace wb::infer::cpu {
namespace {

template <class Stored>
float cached(const void* base, std::size_t index) {
    if constexpr (std::is_same_v<Stored, float>) return static_cast<const float*>(base)[index];
    else return f16ToF32(static_cast<const std::uint16_t*>(base)[index]);
}

template <class Stored>
void scoreKeys(const KeyScores& task) {
    for (std::size_t q = 0; q < task.count; ++q)
        for (std::size_t p = task.firstTile * keyTile; p < task.endTile * keyTile; ++p) {
            float sum = 0;
            for (std::size_t d = 0; d < task.dimensions; ++d) {
                const std::size_t at = (p / keyTile * task.dimensions + d) * keyTile + p % keyTile;
                sum = fusedMultiplyAdd(task.queries[q * task.queryStride + d], cached<Stored>(task.keys, at), sum);
            }
            task.out[q * task.outStride + p] = sum * task.scale;
        }
}

template <class Stored>
void sumValues(const ValueSums& task) {
    for (std::size_t q = 0; q < task.count; ++q)
        for (std::size_t d = 0; d < task.dimensions; ++d) {
            float sum = task.goesOn ? task.out[q * task.outStride + d] : 0;
            for (std::size_t p = task.first; p < task.end; ++p)
                sum = fusedMultiplyAdd(task.probabilities[q * task.probabilityStride + p],
                                       cached<Stored>(task.values, p * task.dimensions + d), sum);
            task.out[q * task.outStride + d] = sum;
        }
}

float codeAt(const std::byte* at) { return static_cast<std::int8_t>(std::to_integer<int>(*at)); }

void scoreKeysQ8_0(const KeyScores& task) {
    const auto* const keys = static_cast<const std::byte*>(task.keys);
    const std::size_t tileBytes = keyTile * positionBytes(CacheType::Q8_0, task.dimensions);
    for (std::size_t q = 0; q < task.count; ++q)
        for (std::size_t p = task.firstTile * keyTile; p < task.endTile * keyTile; ++p) {
            const std::byte* const codes = keys + p / keyTile * tileBytes;
            const std::byte* const scales = codes + keyTile * task.dimensions;
            float sum = 0;
            for (std::size_t g = 0; g < cacheGroups(task.dimensions); ++g) {
                float part = 0;
                for (std::size_t d = g * cacheGroup; d < std::min((g + 1) * cacheGroup, task.dimensions); ++d)
                    part =
                        fusedMultiplyAdd(task.queries[q * task.queryStride + d], codeAt(codes + d * keyTile + p % keyTile), part);
                sum = fusedMultiplyAdd(part, loadF16(scales + 2 * (g * keyTile + p % keyTile)), sum);
            }
            task.out[q * task.outStride + p] = sum * task.scale;
        }
}

void sumValuesQ8_0(const ValueSums& task) {
    const auto* const values = static_cast<const std::byte*>(task.values);
    const std::size_t rowBytes = positionBytes(CacheType::Q8_0, task.dimensions);
    for (std::size_t q = 0; q < task.count; ++q)
        for (std::size_t d = 0; d < task.dimensions; ++d) {
            float sum = task.goesOn ? task.out[q * task.outStride + d] : 0;
            for (std::size_t p = task.first; p < task.end; ++p) {
                const std::byte* const row = values + p * rowBytes;
                const float scale = loadF16(row + task.dimensions + 2 * (d / cacheGroup));
                sum = fusedMultiplyAdd(task.probabilities[q * task.probabilityStride + p] * scale, codeAt(row + d), sum);
            }
            task.out[q * task.outStride + d] = sum;
        }
}

} // namespace

AttentionForms attentionScalar() {
    return {{scoreKeys<std::uint16_t>, scoreKeys<float>, scoreKeysQ8_0},
            {sumValues<std::uint16_t>, sumValues<float>, sumValuesQ8_0}};
}

} // namespace wb::infer::cpu
