// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command.h"
#include "core/infer/engine_options.h"

namespace wb::cli {

// Declares --kv, the types of the cache.
void addCacheTypes(CLI::App& command, infer::EngineOptions& options);

// Declares --gpu-layers and --exact.
void addGpuOptions(CLI::App& command, infer::EngineOptions& options);

} // namespace wb::cli
