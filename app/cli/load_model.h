// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/infer/cpu/cpu_engine.h"

#include <string>

namespace wb::cli {

// Opens a model strictly and plans its graph; nothing but headers is read.
Result<infer::Graph> planModel(const Context& context, const std::string& path);

// Types of the cache as `--kv K[,V]` names them; empty: f16. Invalid, with the reason cacheType, for what no cache has.
inline constexpr Reason cacheType{"generate.cache"};
Result<void> chooseCache(const std::string& types, infer::cpu::CpuOptions& into);

// Loads it for --device, --threads and WEIGHBRIDGE_SIMD, with a line of progress.
Result<std::unique_ptr<infer::Engine>> loadModel(const Context& context, const infer::Graph& graph, infer::cpu::CpuOptions options);

} // namespace wb::cli
