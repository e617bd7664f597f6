// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/infer/backend.h"
#include "core/infer/graph.h"

#include <cstdint>
#include <optional>
#include <string>

namespace wb::chat {

// The part of a model that will lie on a graphics device; no layers: none.
struct DevicePlan {
    std::string name;            // of the device
    std::uint64_t gpuLayers = 0; // with the output, which counts as one
    std::uint64_t layers = 0;    // of the model
    std::uint64_t bytes = 0;
    std::uint64_t free = 0; // of its memory now
    bool isChosen = false;  // the number of layers, by the user

    bool holdsAll() const { return gpuLayers > layers; }
};

// What a model will take in main memory and whether that is there, known before a weight is read.
struct LoadPlan {
    std::uint64_t weights = 0; // bytes
    std::uint64_t cache = 0;   // keys and values of `context` tokens
    std::uint64_t compute = 0; // buffers and logits
    std::size_t context = 0;
    std::optional<std::uint64_t> free; // of main memory now; empty: the system does not tell
    std::size_t fittingContext = 0;    // the longest that fits, at most `context`; 0: none does
    std::size_t wantedContext = 0;     // where that was cut to what fits
    infer::EngineMemory main;          // all this part by part, without the logits
    DevicePlan device;                 // beside all that

    std::uint64_t need() const { return weights + cache + compute; }
    bool fits() const { return !free || need() <= *free; }
};

// What the placement takes, beside the free memory. Where it does not fit, a shorter context is looked for that does.
LoadPlan planLoad(const infer::Graph& graph, const infer::Placement& placement, std::optional<std::uint64_t> freeMemory);
// TooLarge, with the needs in its sentence, where the model does not fit with this context.
Result<void> checkFits(const LoadPlan& plan, const std::string& name);

} // namespace wb::chat
