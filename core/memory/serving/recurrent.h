// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/model_spec.h"

namespace wb::memory {

// What one recurrent layer keeps and computes for one sequence, in f32 elements (ggml-org/llama.cpp: src/llama-hparams.cpp;
// docs/reference/memory.md, "Recurrent state").
struct RecurrentShape {
    arch::Recurrence kind = arch::Recurrence::None;
    std::uint64_t layers = 0;      // that remember so; those of Falcon-H1 keep a cache next to it
    std::uint64_t convolution = 0; // last columns of the convolution, or the shifted token
    std::uint64_t state = 0;
    std::uint64_t inner = 0;     // width of the scan; Mamba only, like the next two
    std::uint64_t mixed = 0;     // width that is convolved: inner and, in Mamba-2, B and C of every group
    std::uint64_t projected = 0; // width of the projections that stay until the scan is done
};

RecurrentShape specRecurrentShape(const arch::ModelSpec& spec);

// Bytes of the recurrent state of so many sequences, whatever their length; 0 where the model has none.
std::uint64_t stateBytes(const arch::ModelSpec& spec, std::uint64_t sequences = 1);

} // namespace wb::memory
