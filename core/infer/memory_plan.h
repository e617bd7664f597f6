// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/backend.h"
#include "core/infer/graph/graph.h"
#include "core/memory/serving/calibration.h"

namespace wb::infer {

// The memory that the CPU engine would claim for this model, part by part, in the form of core/memory: class "plan". Nothing is
// read but the index. `threads`: 0 takes as many as the machine has. Unsupported: an architecture that no engine runs, a setting
// that the engine lacks (several slots, a GPU, cache types other than f16, f32 and q8_0). With loadsPrediction the head of
// planPrediction() is loaded as a second engine with its own output matrix and buffers; a model without one is Unsupported.
Result<memory::Estimate> planMemory(const memory::Subject& subject, const memory::Settings& settings, unsigned threads);

// The same form for what an engine has claimed: class "allocated".
memory::Estimate allocatedMemory(const memory::Subject& subject, const memory::Settings& settings, const Engine& engine);

// The file that records the memory of loads for later estimates, and the version of this program.
struct LoadStore {
    std::filesystem::path file; // memory::loadsFile(); empty: nowhere
    std::string build;
};

// Records the memory that a load has claimed next to that of its placement, of RAM and of the device, with today's date.
// Does nothing without a file, or where the engine is not where the model was placed. The errors are those of memory::addLoads.
Result<void> rememberLoad(const LoadStore& store, const Model& model, const Placement& placement, const Engine& engine);

} // namespace wb::infer
