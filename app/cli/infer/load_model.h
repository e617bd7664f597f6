// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/infer/backend.h"

#include <string>

namespace wb::cli {

// Opens a model strictly and plans its graph; nothing but headers is read.
Result<infer::Graph> planModel(const Context& context, const std::string& path);

// Loads it for --device, --threads and WEIGHBRIDGE_SIMD, with a line of progress. An Error where the user named a device that
// cannot be used; where it cannot run the model, the processor does, and a line on stderr says why.
Result<std::unique_ptr<infer::Engine>> loadModel(const Context& context, const infer::Graph& graph, infer::EngineOptions options);

// The same, and what the load has claimed is written down beside its plan for later estimates, where Chat of the window writes it,
// unless `forgets`. That it could not be written is a line of the log: the model runs all the same.
Result<std::unique_ptr<infer::Engine>> loadAndRemember(const Context& context, const infer::Graph& graph,
                                                       const infer::EngineOptions& options, bool forgets);

// Tells on stderr, and in the log, what the engine has remarked since the first `told`; answers how many that are now.
std::size_t tellRemarks(const Context& context, const infer::Engine& engine, std::size_t told);

} // namespace wb::cli
