// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/infer/cpu/cpu_engine.h"

#include <string>

namespace wb::cli {

// Opens a model strictly and plans its graph; nothing but headers is read.
Result<infer::Graph> planModel(const Context& context, const std::string& path);

// Loads it for --device, --threads and WEIGHBRIDGE_SIMD, with a line of progress.
Result<std::unique_ptr<infer::Engine>> loadModel(const Context& context, const infer::Graph& graph, infer::cpu::CpuOptions options);

} // namespace wb::cli
