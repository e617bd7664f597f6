// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <vector>

namespace wb::memory {

// The caches of attention for one sequence, as the metadata of a GGUF model say (specs/memory_estimates.md 4).
struct KvShape {
    struct Layer {
        std::uint64_t heads = 0;       // KV heads; 0: no cache
        std::uint64_t keyLength = 0;
        std::uint64_t valueLength = 0; // 0 for latent attention, which keeps keys only
        bool windowed = false;
    };
    std::vector<Layer> layers;
    std::uint64_t window = 0; // tokens that a windowed layer looks back; 0: none has a window
};

// Empty where the model says too little: no GGUF, no layers or no heads. Families whose pattern of windows is not in the metadata are
// read by the family's fixed period.
std::optional<KvShape> kvShapeOf(const Model& model);

// Bytes of the caches for `context` tokens with `bytesPerElement` each for K and V (2: f16, 34/32: q8_0, 18/32: q4_0). Tokens are
// rounded up to 256 cells; windowed layers keep the window and one micro-batch of 512.
std::uint64_t kvBytes(const KvShape& shape, std::uint64_t context, double bytesPerElement = 2);

} // namespace wb::memory
