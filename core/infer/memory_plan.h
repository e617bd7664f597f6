// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/backend.h"
#include "core/infer/graph.h"
#include "core/memory/calibration.h"

namespace wb::infer {

// What the engine of the processor would claim for this model, part by part, in the form of core/memory: class "plan". Nothing is
// read but the index. `threads`: 0 takes as many as the machine has. Unsupported: an architecture that no engine runs, a setting
// that the engine lacks (several slots, a graphics device, cache types other than f16, f32 and q8_0).
Result<memory::Estimate> planMemory(const memory::Subject& subject, const memory::Settings& settings, unsigned threads);

// The same form for what an engine has claimed: class "allocated".
memory::Estimate allocatedMemory(const memory::Subject& subject, const memory::Settings& settings, const Engine& engine);

// What the processor would claim for a model of which so many layers lie on a graphics device (EngineOptions::gpuLayers). The same
// code as planMemory(); the errors are those of cpu::planCpuMemory().
Result<EngineMemory> planMainMemory(const Graph& graph, const cpu::CpuOptions& options, std::uint64_t gpuLayers);

// A load as it was planned.
struct PlannedLoad {
    cpu::CpuOptions options; // the context is that of the cache
    EngineMemory main;
    Placement placement; // with what the device would claim
};

// Where the memory of loads is written down for later estimates, and by which version of this program.
struct LoadStore {
    std::filesystem::path file; // memory::loadsFile(); empty: nowhere
    std::string build;
};

// Writes down what a load has claimed beside its plan, of main memory and of the device, with today's date. Does nothing where the
// store is nowhere, or where the model came to lie elsewhere than was planned. The errors are those of memory::addLoads.
Result<void> rememberLoad(const LoadStore& store, const Model& model, const PlannedLoad& planned, const Engine& engine);

} // namespace wb::infer
