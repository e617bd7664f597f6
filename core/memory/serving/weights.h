// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/settings.h"
#include "core/model/model.h"

#include <functional>
#include <string>
#include <vector>

namespace wb::memory {

// Bytes of a model's tensors by where they go (docs/reference/memory.md, "Placement"). Each tensor is rounded up to 32 bytes.
struct Weights {
    std::string type; // as the user calls it; empty: as stored
    std::vector<std::uint64_t> blocks;
    std::vector<std::uint64_t> experts; // of each block, counted in it: the routed ones
    std::uint64_t input = 0;            // embeddings, which stay in RAM
    std::uint64_t head = 0;             // the output and tensors outside blocks
    std::uint64_t tiedHead = 0;         // embeddings that are the output too: a GPU holds a copy
    std::uint64_t everywhere = 0;       // tables of rotation, needed on each side
    std::uint64_t prediction = 0;       // layers that predict additional tokens, loaded when asked for
    std::uint64_t parameters = 0;       // of all tensors counted

    std::uint64_t total() const; // in one memory, without prediction
    double bitsPerWeight() const;
    std::uint64_t onGpu(const Settings& settings) const; // of all GPUs
    std::uint64_t onDevice(const Settings& settings, const LayerShare& share) const;
    std::uint64_t onProcessor(const Settings& settings) const;
    // Experts of the blocks of the GPUs, or of one, that stay in RAM.
    std::uint64_t expertsLeft(const Settings& settings) const;
    std::uint64_t expertsLeft(const Settings& settings, const LayerShare& share) const;
    // Blocks of the GPUs: the last ones.
    std::uint64_t gpuBlocks(std::uint64_t gpuLayers) const;
    // The same shape with another number of parameters.
    void scaleTo(std::uint64_t parameters);
};

// `types` has an entry for each tensor of the model. Names are those of GGUF.
Weights weightSizes(const Model& model, const arch::ModelSpec& spec, std::span<const Dtype> types);

// The same with what each tensor takes.
Weights weightSizes(const Model& model, const arch::ModelSpec& spec, const std::function<std::uint64_t(const TensorInfo&)>& bytes);

// With the types of the file.
Weights storedWeights(const Model& model, const arch::ModelSpec& spec);

} // namespace wb::memory
