// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <optional>

namespace wb::memory {

// What a runtime holds beside weights and caches while it generates one sequence of up to `context` tokens: the buffers of llama.cpp's
// compute graph on a CPU with flash attention and micro-batches of 512, and the logits (specs/memory_estimates.md 5; within a tenth
// for transformers, a third for hybrids). On a graphics device they are up to a fifth smaller. Empty where the model says too little,
// as those without attention or feed-forward layers do.
std::optional<std::uint64_t> computeBytes(const Model& model, std::uint64_t context);

} // namespace wb::memory
