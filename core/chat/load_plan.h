// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/backend.h"
#include "core/infer/graph/graph.h"

#include <cstdint>
#include <optional>
#include <string>

namespace wb::chat {

// The context of a conversation if the user chooses none: this or the model's, whichever is shorter.
inline constexpr std::size_t defaultContext = 8192;

// The part of a model that will be on a GPU.
struct DevicePlan {
    std::string name;            // of the device
    std::uint64_t gpuLayers = 0; // the output counts as one; 0: nothing is on the device
    std::uint64_t layers = 0;    // of the model
    std::uint64_t bytes = 0;
    std::uint64_t free = 0; // of its memory now
    bool isChosen = false;  // the user chose the number of layers

    bool holdsAll() const { return gpuLayers > layers; }
};

// The memory that a model needs and whether it is free, known before a weight is read.
struct LoadPlan {
    std::uint64_t weights = 0; // bytes of RAM, as all that follow
    std::uint64_t cache = 0;   // keys and values of `context` tokens
    std::uint64_t compute = 0; // buffers and logits
    std::size_t context = 0;
    std::optional<std::uint64_t> free; // of RAM now; empty: the system does not report it
    std::size_t fittingContext = 0;    // the longest that fits, at most `context`; 0: none does
    std::size_t wantedContext = 0;     // the usual context, if it was shortened to fit; else 0
    DevicePlan device;                 // on top of that

    std::uint64_t need() const { return weights + cache + compute; }
    bool fits() const { return !free || need() <= *free; }
};

// The plan for a placement. Looks for a shorter context if it does not fit.
LoadPlan planLoad(const infer::Graph& graph, const infer::Placement& placement, std::optional<std::uint64_t> freeMemory);

// TooLarge, with the needs in its sentence, if the model does not fit with this context (reason chat.context_memory) or at all
// (reason chat.memory).
Result<void> checkFits(const LoadPlan& plan, const std::string& name);

} // namespace wb::chat
