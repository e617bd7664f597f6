// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/estimate.h"

namespace wb::memory {

// vLLM and transformers, which load a model as PyTorch has it (docs/reference/memory.md, "Totals by runtime"). vLLM divides weights
// and cache among its devices; transformers puts whole layers on each.
bool isServing(const Settings& settings);

// vLLM: weights, CUDA with its graphs, and the cache of all slots; if the memory of a device is given, cache blocks fill the
// share of it that is given to vLLM. transformers: weights and the cache of as many sequences; temporary memory of a step is not
// modeled.
Plan servingPlan(const arch::ModelSpec& spec, const Weights& weights, const Settings& settings);

// What vLLM needs on one device before it fills the rest with cache: a device with less than this refuses the model.
std::uint64_t servingMinimum(const arch::ModelSpec& spec, const Weights& weights, const Settings& settings);

// By how many hundredths real runs took more; empty: not measured.
std::optional<double> servingError(const Settings& settings);

std::vector<Phrase> servingGaps(const Subject& subject, const Settings& settings);

// The terms of a part of such a plan.
std::vector<Phrase> servingTerms(const arch::ModelSpec& spec, const Weights& weights, const Settings& settings, PartKind kind,
                                 std::uint64_t bytes);

} // namespace wb::memory
