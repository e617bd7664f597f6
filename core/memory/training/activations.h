// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/estimate.h"

namespace wb::memory {

struct TrainingSettings;

// Peak activation memory of a training step on one GPU (docs/reference/memory.md, "Measured activations": laws
// measured on transformers and peft with Llama-style layers).
struct Activations {
    std::uint64_t layers = 0; // checkpoints, and the layer that is computed again where that is the highest
    std::uint64_t logits = 0; // where those are
    std::vector<Phrase> layerTerms;
    std::vector<Phrase> logitTerms;
};
Activations trainingActivations(const arch::ModelSpec& spec, const TrainingSettings& settings);

// The same without the sentences.
std::uint64_t activationBytes(const arch::ModelSpec& spec, const TrainingSettings& settings);

} // namespace wb::memory
