// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/training.h"

namespace wb::memory {

// What the textbook says, and why the estimate differs (specs/memory_estimates.md 1).
struct RuleOfThumb {
    Phrase text;
    std::uint64_t bytes = 0;
    std::vector<Phrase> why;
};
RuleOfThumb ruleOfThumb(const Subject& subject, const Weights& weights, const WeightType* type, const Estimate& estimate);

// The same for a training run (specs/memory_estimates.md 1.3); where the textbook names a range, `bytes` is its middle.
RuleOfThumb trainingRule(const TrainingEstimate& estimate);

} // namespace wb::memory
