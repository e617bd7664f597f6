// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/training/training.h"

namespace wb::memory {

// The rule of thumb, and why the estimate differs (docs/reference/memory.md, "Rules of thumb and the exact estimate").
struct RuleOfThumb {
    Phrase text;
    std::uint64_t bytes = 0;
    std::vector<Phrase> why;
};
RuleOfThumb ruleOfThumb(const Subject& subject, const Weights& weights, const WeightType* type, const Estimate& estimate);

// The same for a training run (docs/reference/memory.md, "Rules for training"); where the textbook names a range, `bytes` is its
// middle.
RuleOfThumb trainingRule(const TrainingEstimate& estimate);

} // namespace wb::memory
