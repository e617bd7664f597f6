// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/infer/engine.h"
#include "core/infer/engine_options.h"
#include "core/infer/graph/graph.h"

#include <memory>

namespace wb::infer::cpu {

// Loads the weights, claims the cache and all working memory, and starts the threads. TooLarge, with the word context, where the
// options ask for more than the model was made for.
Result<std::unique_ptr<Engine>> makeCpuEngine(const Graph& graph, const EngineOptions& options, const Progress& progress);

// What makeCpuEngine would claim for the same graph and options, without reading or claiming anything.
Result<EngineMemory> planCpuMemory(const Graph& graph, const EngineOptions& options);

} // namespace wb::infer::cpu
