// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/kv_cache.h"
#include "core/infer/cpu/steps.h"

#include <span>

namespace wb::infer::cpu {

// Floats that the scores of one query take for a cache of so many positions: whole key tiles.
constexpr std::size_t scoreStride(std::size_t context) { return (context + keyTile - 1) / keyTile * keyTile; }

// One head of up to groupTokens tokens that follow each other.
struct HeadTask {
    std::size_t head = 0;
    std::size_t position = 0, tokens = 1; // of the first token
    const float* queries = nullptr;       // of the first token, all heads: [tokens][queryStride]
    std::size_t queryStride = 0;
    float* attended = nullptr; // [tokens][attendedStride]
    std::size_t attendedStride = 0;
    float* scores = nullptr; // scratch: [groupTokens][scoreStride]
    std::size_t scoreStride = 0;
};

// attended = Σ softmax(softcap(scale * q · k)) * v over the positions that each token sees (operations.h, AttendOp).
void attendHead(const Kernels& kernels, const KvCache& cache, const AttendStep& step, const HeadTask& task);

// The same of one token over some positions, in ascending order; the cache has all positions.
void attendPositions(const Kernels& kernels, const KvCache& cache, const AttendStep& step, const HeadTask& task,
                     std::span<const std::uint32_t> positions);

} // namespace wb::infer::cpu
