// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/model_spec.h"

#include <optional>

namespace wb::memory {

// What a runtime holds beside weights, caches and state while it generates one sequence of up to `context` tokens: the buffers of
// llama.cpp's compute graph on a CPU with flash attention and micro-batches of 512, and the logits (specs/memory_estimates.md 5).
// Within a tenth of what that program plans, wherever there is a plan to compare with: transformers, Mamba-2 and hybrids. For Mamba
// and RWKV there is none; theirs are derived from the order of operations in its graphs (src/models/mamba-base.cpp,
// rwkv7-base.cpp). On a graphics device the buffers are up to a fifth smaller. Empty where the model says too little.
std::optional<std::uint64_t> computeBytes(const arch::ModelSpec& spec, std::uint64_t context);

} // namespace wb::memory
