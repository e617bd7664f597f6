// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/chat/model_load.h"

#include <string>

namespace wb::cli {

// Types of the cache as `--kv K[,V]` names them; empty: f16. Invalid, with the reason cacheType, for what no cache has.
inline constexpr Reason cacheType{"generate.cache"};
Result<void> chooseCache(const std::string& types, infer::EngineOptions& into);

// What lies on the graphics device, as --gpu-layers says it: a number or all; empty: what fits. Invalid, with the reason
// gpuLayerCount, for anything else.
inline constexpr Reason gpuLayerCount{"generate.gpu_layers"};
Result<std::optional<std::uint64_t>> gpuLayersOf(const std::string& words);

// Whether it is about one of these words.
inline bool isUsage(const Error& error) { return error.reason == cacheType || error.reason == gpuLayerCount; }

// The options of an engine for --threads and WEIGHBRIDGE_SIMD.
infer::EngineOptions chosenEngine(const Context& context);

// The device of --device. An Error if the user named one that cannot be used.
Result<std::shared_ptr<infer::Backend>> chosenBackend(const Context& context);

// The file that Chat of the window and wb record loads in; nowhere if the user forbids it or has no home.
infer::LoadStore loadStore(bool forgets);

// A model that was placed and whose memory was planned (chat::ModelLoad); no weight was read yet.
struct PlannedModel {
    chat::ModelLoad load;
    chat::LoadPlan plan;
};
Result<PlannedModel> planModel(const Context& context, infer::Graph graph, const infer::EngineOptions& options);

// Loads it, with a line of progress, and prints the remarks on where it runs.
Result<std::unique_ptr<infer::Engine>> loadModel(const Context& context, const PlannedModel& planned,
                                                 const infer::LoadStore& store = {});

// Prints on stderr, and in the log, that the context is shorter than usual, if it is.
void printPlan(const Context& context, const chat::LoadPlan& plan);
void printRemark(const Context& context, const Problem& remark);

// Prints the remarks of an engine after the first `printed`; returns how many there are now.
std::size_t printRemarks(const Context& context, const infer::Engine& engine, std::size_t printed);

} // namespace wb::cli
