// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/estimate.h"
#include "core/memory/training/trainable.h"

namespace wb::memory {

// Peak memory of a training run (docs/reference/memory.md, "Training"): what PyTorch with transformers and peft
// allocates. Every GPU holds the same; what is offloaded is in RAM.
struct TrainingEstimate {
    std::string name;
    Trust trust = Trust::Header;
    TrainingSettings settings;
    std::uint64_t parameters = 0;
    std::uint64_t trainable = 0;
    std::vector<MemoryPart> gpuParts;  // above zero, of one GPU
    std::vector<MemoryPart> hostParts; // above zero, of all processes together
    double reserve = 0;                // the allocator's overhead as a share of the allocated bytes
    double errorPercent = 0;           // by which a GPU may need more: that share varies
    std::vector<Phrase> notModelled;
    std::vector<Problem> problems;

    std::uint64_t gpu() const;  // of one GPU
    std::uint64_t host() const; // RAM
    std::uint64_t total() const;
    std::uint64_t part(PartKind kind) const;                   // of one GPU; 0 where it has none
    std::uint64_t gpuErrorBytes(std::uint64_t gpuBytes) const; // bytes by which a GPU that needs so many may need more
};

Result<TrainingEstimate> estimateTraining(const Subject& subject, const TrainingSettings& settings);

// Bytes of one GPU with sequences of another length, for sliders and for the longest one that fits.
std::uint64_t gpuBytesAt(const arch::ModelSpec& spec, const TrainingEstimate& estimate, std::uint64_t sequence);

} // namespace wb::memory
