// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/model_spec.h"

#include <optional>

namespace wb::memory {

// Bytes of the caches of attention for one sequence of `context` tokens with `bytesPerElement` each for K and V (2: f16, 34/32:
// q8_0, 18/32: q4_0; specs/memory_estimates.md 4). Tokens are rounded up to 256 cells; layers with a window keep the window and one
// micro-batch of 512. Empty for a model without layers or without attention.
std::optional<std::uint64_t> kvBytes(const arch::ModelSpec& spec, std::uint64_t context, double bytesPerElement = 2);

} // namespace wb::memory
