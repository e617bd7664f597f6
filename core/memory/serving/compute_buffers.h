// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/settings.h"

#include <optional>

namespace wb::memory {

// What is computed at the peak of the graph's buffers.
enum class Stage : std::uint8_t { None, FeedForward, Experts, LatentAttention, Scan, TimeMix, Scores, Logits };

// The buffers of llama.cpp's compute graph on one device (docs/reference/memory.md, "Compute buffers"), in bytes.
struct ComputeBuffers {
    Stage stage = Stage::None;
    std::uint64_t tokens = 0;    // that are computed at once; rows of logits where those are the stage
    std::uint64_t elements = 0;  // f32, for each of them
    std::uint64_t fixed = 0;     // bytes next to those of the tokens
    std::uint64_t maskBytes = 0; // for a token and a cell
    std::uint64_t maskCells = 0;
    std::uint64_t maskTokens = 0;
    std::uint64_t copies = 1;       // of the inputs, where several devices compute one after the other
    std::uint64_t inputs = 0;       // bytes of the residual that comes from another device, all copies
    std::uint64_t scratchBytes = 0; // of a cell of one layer, expanded to f16
    std::uint64_t scratchCells = 0;

    std::uint64_t mask() const;
    std::uint64_t scratch() const;
    std::uint64_t peak() const;
    std::uint64_t total() const;
};

enum class Side : std::uint8_t { Processor, Gpu };

// The buffers where the layers are computed. Empty where the model says too little.
// Within a tenth of what that program plans with flash attention, wherever there is a plan to compare with: transformers, Mamba-2
// and hybrids. For Mamba and RWKV none exists; theirs are derived from the order of operations in its graphs
// (src/models/mamba-base.cpp, rwkv7-base.cpp).
// `share`: whether the logits are computed there, and how many copies the inputs have.
struct BufferShare {
    bool hasLogits = true;
    std::uint64_t copies = 1;
};
std::optional<ComputeBuffers> computeBuffers(const arch::ModelSpec& spec, const Settings& settings, Side side,
                                             BufferShare share = {});

// What stays in RAM for a model that a GPU computes.
std::uint64_t hostBuffers(const arch::ModelSpec& spec, const Settings& settings);

// Logits kept for the caller.
std::uint64_t outputBytes(const arch::ModelSpec& spec, const Settings& settings);

// Buffers and logits on the CPU together. Empty where the model says too little.
std::optional<std::uint64_t> computeBytes(const arch::ModelSpec& spec, const Settings& settings);

} // namespace wb::memory
