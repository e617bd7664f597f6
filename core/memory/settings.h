// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/model_spec.h"
#include "core/tensor/dtype.h"

#include <limits>
#include <optional>
#include <span>

namespace wb::memory {

inline constexpr std::uint64_t allLayers = std::numeric_limits<std::uint64_t>::max();

// How a model is run. The defaults are those of llama.cpp for one conversation on the processor (specs/memory_estimates.md 3 to 5).
struct Settings {
    std::uint64_t context = 8192;              // tokens of all slots together
    std::uint64_t batch = 2048;                // tokens that are submitted at once
    std::uint64_t microBatch = 512;            // tokens that are computed at once
    std::uint64_t conversations = 1;           // at the same time; each has a slot of the cache
    bool unified = false;                      // all slots share one cache
    bool flash = true;                         // flash attention
    bool fullWindows = false;                  // layers with a window keep every token
    std::optional<std::uint64_t> outputs = {}; // rows of logits; 0: the whole batch; empty: one a slot
    Dtype keyType = Dtype::F16;
    Dtype valueType = Dtype::F16;
    std::uint64_t gpuLayers = 0;  // the output counts as one, then the last blocks; 0: everything on the processor
    std::uint64_t cpuExperts = 0; // of so many first blocks the experts stay in main memory
    bool loadsPrediction = false; // the layers that predict further tokens are loaded too

    // Bytes of other files that are loaded beside the model, on the graphics device where one is used.
    std::uint64_t projectorBytes = 0; // of pictures and sound (mmproj)
    std::uint64_t loraBytes = 0;
    std::uint64_t draftBytes = 0; // of a small model that guesses ahead, all its parts together

    bool usesGpu() const { return gpuLayers > 0; }
    std::uint64_t outputRows() const { return !outputs ? conversations : *outputs == 0 ? batch : *outputs; }
    std::uint64_t tokensAtOnce() const; // of one computation: no more than batch and context
};

// The types that K and V can have, in the order of their size.
std::span<const Dtype> cacheTypes();
std::optional<Dtype> cacheTypeFromName(std::string_view name);

// Invalid, with the setting's name as subject: zeros, more than loaders count, more slots than cells, a type that the rows of the
// model's cache do not fit, quantized values without flash attention.
Result<void> check(const Settings& settings, const arch::ModelSpec& spec);

} // namespace wb::memory
