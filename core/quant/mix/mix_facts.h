// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/family.h"
#include "core/quant/mix/mix.h"

namespace wb::quant {

// Facts about a model that the rules use.
struct MixFacts {
    FileType fileType = FileType::Q4_K_M;
    arch::MixRules rules;          // of the family
    std::uint64_t layers = 0;      // block_count, next-token-prediction blocks included
    std::uint64_t trunkLayers = 0; // without those blocks
    std::uint64_t heads = 0;       // of layer 0
    std::uint64_t kvHeads = 0;
    std::uint64_t experts = 0;
    std::uint64_t valueTensors = 0; // tensors of the categories V, QKV and KV_B
    bool tied = false;              // there is no output.weight
    bool hasMatrix = false;
    std::optional<Dtype> outputType;
};

// Takes them from the model's hyperparameters; absent numbers count as zero. Refuses (Malformed) what arch::readSpec refuses:
// numbers of another type than loaders read, and more layers or experts than any loader takes.
Result<MixFacts> mixFacts(const Model& model, const MixOptions& options);

} // namespace wb::quant
