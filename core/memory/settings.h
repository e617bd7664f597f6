// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/model_spec.h"
#include "core/memory/serving/runtime.h"
#include "core/tensor/dtype.h"

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wb::memory {

inline constexpr std::uint64_t allLayers = std::numeric_limits<std::uint64_t>::max();

// The correction by earlier loads on a device (calibration.h).
struct Correction {
    std::string device;      // its name; "cpu"
    std::size_t loads = 0;   // that were measured
    std::int64_t shift = 0;  // bytes: the median of the differences from their estimates
    std::uint64_t range = 0; // bytes: the farthest of them from that
};

// How a model is run. The defaults are those of llama.cpp for one conversation on the CPU (docs/reference/memory.md,
// "Weights" to "Compute buffers").
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
    std::uint64_t gpuLayers = 0;  // the output counts as one, then the last blocks; 0: everything on the CPU
    std::uint64_t cpuExperts = 0; // number of first blocks with experts in RAM
    bool loadsPrediction = false; // the layers that predict additional tokens are loaded too
    // Layers of each of several GPUs in their order, the output counted as the last one; empty: there is one. The rest of gpuLayers
    // belongs to the last one.
    std::vector<std::uint64_t> split = {};

    Runtime runtime = Runtime::LlamaCpp;
    std::optional<Backend> backend = {};       // empty: Vulkan where a GPU is used, else the CPU
    std::uint32_t build = newestBuild;         // of llama.cpp
    std::uint64_t deviceMemory = 0;            // bytes of one GPU, of which vLLM fills a share with its cache; 0: not known
    double utilization = 0.9;                  // that share
    std::optional<Correction> correction = {}; // counted as overhead of the device, or taken off its overhead and buffers

    // Bytes of other files that are loaded next to the model, on the GPU where one is used.
    std::uint64_t projectorBytes = 0; // of pictures and sound (mmproj)
    std::uint64_t loraBytes = 0;
    std::uint64_t draftBytes = 0; // of a draft model, the sum of its parts

    bool predictsAhead = false; // the model's own layers guess additional tokens: they are loaded, with their own cache
    std::uint64_t draftTokens =
        2; // guessed at once, by those or by a small model; for each a recurrent state is kept to go back to

    bool usesGpu() const { return gpuLayers > 0; }
    std::size_t devices() const { return split.empty() ? 1 : split.size(); } // GPUs, where one is used
    Backend backendUsed() const; // of a GPU Vulkan where none is named, CUDA for vLLM and transformers
    bool drafts() const { return predictsAhead || draftBytes > 0; }
    std::uint64_t stateCopies() const; // of a recurrent state: one a slot, and those to go back to
    std::uint64_t outputRows() const;
    std::uint64_t tokensAtOnce() const; // of one computation: no more than batch and context
};

// The layers of one GPU: blocks [first, last), and whether the output is among them.
struct LayerShare {
    std::size_t first = 0, last = 0;
    bool hasOutput = false;

    bool isEmpty() const { return first == last && !hasOutput; }
};

// One for each GPU; none where the CPU computes alone. `layers` are those of the trunk.
std::vector<LayerShare> layerShares(const Settings& settings, std::size_t layers);

// The types that K and V can have, in the order of their size.
std::span<const Dtype> cacheTypes();
std::optional<Dtype> cacheTypeFromName(std::string_view name);

// Invalid, with the setting's name as subject: zeros, more than loaders count, more slots than cells, a type that the rows of the
// model's cache do not fit, quantized values without flash attention, what the runtime cannot do.
Result<void> check(const Settings& settings, const arch::ModelSpec& spec);

} // namespace wb::memory
