// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/infer/cpu/kernels.h"
#include "core/infer/engine.h"
#include "core/infer/graph.h"

#include <memory>

namespace wb::infer::cpu {

struct CpuOptions {
    unsigned threads = 0;                                     // 0: as many as the machine has
    std::size_t context = 0;                                  // positions of the cache; 0: those of the model
    CacheType keys = CacheType::F16, values = CacheType::F16; // of the cache
    bool scalar = false;                                      // the readable kernels
    std::size_t windowSlack = 512; // positions that layers with a window keep beyond it; no batch is longer there
};

// Loads the weights, claims the cache and all working memory, and starts the threads. TooLarge, with the word context, where the
// options ask for more than the model was made for.
Result<std::unique_ptr<Engine>> makeCpuEngine(const Graph& graph, const CpuOptions& options, const Progress& progress);

// What makeCpuEngine would claim for the same graph and options, without reading or claiming anything.
Result<EngineMemory> planCpuMemory(const Graph& graph, const CpuOptions& options);

} // namespace wb::infer::cpu
