// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/chat/model_load.h"

#include <string>

namespace wb::cli {

// Opens a model strictly and plans its graph; nothing but headers is read.
Result<infer::Graph> openGraph(const Context& context, const std::string& path);

// The options with --threads, WEIGHBRIDGE_SIMD and WEIGHBRIDGE_GPU_KERNELS: "fast" takes the fast kernels of a GPU on software
// devices, and where they are slower, too; for measuring.
infer::EngineOptions engineOn(const Context& context, infer::EngineOptions options);

// The device of --device. An Error if the user named one that cannot be used.
Result<std::shared_ptr<infer::Backend>> chosenBackend(const Context& context);

// The file in which Chat of the window and wb record loads; nowhere if the user forbids it or has no home.
infer::LoadStore loadStore(bool forgets);

// A model that was placed and whose memory was planned (chat::ModelLoad); no weight was read yet. Lines on stderr show which layers
// are on a GPU, and why others are not.
struct PlannedModel {
    chat::ModelLoad load;
    chat::LoadPlan plan;
};
Result<PlannedModel> planModel(const Context& context, infer::Graph graph, const infer::EngineOptions& options);

// Loads it with a line of progress, prints the remarks on a device that failed meanwhile, and records the load.
Result<std::unique_ptr<infer::Engine>> loadModel(const Context& context, const PlannedModel& planned,
                                                 const infer::LoadStore& store = {});

// Prints on stderr, and in the log, that the context is shorter than usual, if it is. How many layers are on a GPU it prints for
// people, on a terminal.
void printPlan(const Context& context, const chat::LoadPlan& plan);
void printRemark(const Context& context, const Problem& remark);

// Prints the remarks of an engine after the first `printed`; returns how many there are now.
std::size_t printRemarks(const Context& context, const infer::Engine& engine, std::size_t printed);

} // namespace wb::cli
