// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/kernels/rows.h"
#include "core/infer/graph/operations.h"

#include <span>
#include <vector>

// Which experts each token of a batch goes to. A token and one of its experts are a pair; the pairs of one expert are put side by
// side, so that its weights are read once for all of them.
namespace wb::infer::cpu {

// The pairs of one expert, from the beginning of a group of activations.
struct ExpertRun {
    std::size_t expert, firstPair, count;
};

inline constexpr std::uint32_t noToken = 0xffff'ffff;

struct Routing {
    Numbers<std::uint32_t> chosen;  // [tokens][used] experts
    Numbers<float> weights;         // [tokens][used]
    Numbers<std::uint32_t> pairOf;  // [tokens][used] numbers of pairs
    Numbers<std::uint32_t> tokenOf; // [maxPairs]; noToken in the gaps between runs
    Numbers<float> weightOf;        // [maxPairs]
    Numbers<float> sharedGates;     // [tokens]
    std::vector<ExpertRun> runs;
    std::size_t pairs = 0; // with the gaps

    void plan(CpuMemory& memory, std::size_t tokens, std::size_t maxUsed, std::size_t maxPairs);

    // Fills runs, pairOf, tokenOf and weightOf from `chosen` and `weights`; each expert's pairs start with their own group.
    void group(std::size_t tokens, std::size_t used, std::size_t experts);
};

// The experts of one token, of which there are chosen.size(), and their weights, from the router's logits, which become
// probabilities (RouteOp). `scores` and `order` are scratch of one number an expert.
void chooseExperts(const RouteOp& op, const float* selectionBias, std::span<float> logits, std::span<float> scores,
                   std::span<std::uint32_t> order, std::span<std::uint32_t> chosen, std::span<float> weights);

// The gate of the shared expert: sigmoid(weights · x).
float sharedExpertGate(std::span<const float> weights, const float* x);

} // namespace wb::infer::cpu
