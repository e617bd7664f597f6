// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/infer/engine.h"
#include "core/infer/engine_options.h"
#include "core/infer/graph/graph.h"

#include <memory>

namespace wb::infer {

// Which device evaluates prompts and responses. Where they differ, each has the whole model (handover_engine.h).
enum class PhaseSplit : std::uint8_t { None, PromptOnGpu, ResponseOnGpu };

// Where a model runs and how much memory it takes there: decided by Backend::place(), carried out by Backend::load().
struct Placement {
    EngineOptions options;        // the context is that of the cache; gpuLayers as they were asked for
    std::string device = "cpu";   // or "gpu:1"
    std::string deviceName;       // of the GPU
    std::string driver;           // of that device; empty: not known
    std::uint64_t deviceFree = 0; // bytes of its memory
    std::uint64_t gpuLayers = 0;  // on it, counted as in EngineOptions; 0: the model runs on the CPU
    PhaseSplit split = PhaseSplit::None;
    EngineMemory main;            // bytes that the model will claim of RAM …
    EngineMemory deviceMemory;    // … and of the device
    std::vector<Problem> remarks; // why it is not on the device that was asked for

    // Layers whose weights RAM does not hold, counted as in EngineOptions.
    std::uint64_t layersOutsideMain() const { return split == PhaseSplit::None ? gpuLayers : 0; }
};

// Runs models: on the CPU, or on a GPU as far as it can, and on the CPU where it cannot or fails.
// Thread-safe.
class Backend {
public:
    virtual ~Backend() = default;

    // Reads no weights. TooLarge, with the reason infer.context, for a context that is longer than the model's.
    virtual Result<Placement> place(const Graph& graph, EngineOptions options) = 0;

    // Loads the graph as it was placed. Falls back to the CPU where the device fails, now or later (Engine::remarks, which
    // start with those of the placement).
    virtual Result<std::unique_ptr<Engine>> load(const Graph& graph, const Placement& placement, const Progress& progress) = 0;
};

// The CPU alone.
std::unique_ptr<Backend> makeCpuBackend();

// Bytes of RAM that a model claims of which this many layers are on a GPU (counted as in EngineOptions): those of
// the CPU's engine for the others. The errors are those of cpu::planCpuMemory().
Result<EngineMemory> planMainMemory(const Graph& graph, const EngineOptions& options, std::uint64_t gpuLayers);

} // namespace wb::infer
