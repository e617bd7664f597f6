// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

namespace wb::memory {

// How a layer without a growing cache remembers (ggml-org/llama.cpp: src/llama-hparams.cpp; specs/memory_estimates.md 4.3).
enum class Recurrence {
    None,
    Mamba,            // selective state space, a rank for the time step
    Mamba2,           // the same with groups and heads
    DeltaNet,         // gated delta rule: Qwen3-Next, Qwen3.5
    Kda,              // Kimi's delta attention
    ShortConvolution, // LFM2
    Rwkv
};

// What the metadata of a GGUF model say of its recurrent layers; sizes are f32 elements of one sequence in one layer.
struct RecurrentShape {
    Recurrence kind = Recurrence::None;
    std::uint64_t layers = 0;      // that remember so; those of Falcon-H1 keep a cache beside it
    std::uint64_t convolution = 0; // last columns of the convolution, or the shifted token
    std::uint64_t state = 0;
    std::uint64_t inner = 0;       // width of the scan; Mamba only, like the next two
    std::uint64_t mixed = 0;       // width that is convolved: inner and, in Mamba-2, B and C of every group
    std::uint64_t projected = 0;   // width of the projections that stay until the scan is done
};

RecurrentShape recurrentShapeOf(const Model& model);

// Bytes of the recurrent state of one sequence, whatever its length; 0 where the model has none.
std::uint64_t stateBytes(const Model& model);

} // namespace wb::memory
