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
    std::size_t context = 0;
    unsigned threads = 0;
    EngineMemory main;
    Placement placement; // with what the device would claim
};

// What has been claimed beside it, in main memory and on the device, to be remembered (memory::addLoads). `build` is the version
// of this program, `date` is 2026-11-23.
std::vector<memory::MeasuredLoad> measuredLoads(const Model& model, const PlannedLoad& planned, const EngineLoad& load,
                                                const std::string& build, const std::string& date);

} // namespace wb::infer
