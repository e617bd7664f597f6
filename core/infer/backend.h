// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/infer/cpu/cpu_engine.h"

#include <optional>

namespace wb::infer {

// How a model is wanted to run.
struct EngineOptions {
    cpu::CpuOptions cpu; // context and types of the cache hold on a graphics device too

    // What lies on the graphics device: the output counts as one, then the last layers, as llama.cpp counts them (-ngl). Empty: as
    // much as its memory holds. 0: nothing.
    std::optional<std::uint64_t> gpuLayers;
};

// Where a model would lie.
struct Placement {
    std::string device = "cpu";   // or "gpu:1"
    std::string deviceName;       // of the graphics device
    std::uint64_t gpuLayers = 0;  // as in EngineOptions; 0 on the processor
    std::string driver;           // of that device; empty: not known
    std::uint64_t deviceFree = 0; // bytes of its memory
    EngineMemory deviceMemory;    // that the model would claim of it
    std::vector<Problem> remarks; // why not on the device that was asked for
};

// Who runs models: the processor, or a graphics device as far as it can, and the processor where it cannot or fails. Thread-safe.
class Backend {
public:
    virtual ~Backend() = default;

    // No weights are read.
    virtual Placement place(const Graph& graph, const EngineOptions& options) = 0;

    // Falls back to the processor where the device fails, now or later (Engine::remarks).
    virtual Result<std::unique_ptr<Engine>> load(const Graph& graph, const EngineOptions& options, const Progress& progress) = 0;
};

// The processor alone.
std::unique_ptr<Backend> makeCpuBackend();

} // namespace wb::infer
