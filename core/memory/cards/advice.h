// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/training/training.h"

namespace wb::memory {

// One change of the settings that needs less memory. The saving is the difference of two whole estimates.
struct Advice {
    Phrase change;
    std::uint64_t saves = 0; // bytes of the GPU where one is used, else of RAM; of one GPU in training
    Phrase cost;
};

// What to change when a model does not fit, what costs least first; only changes that save something.
std::vector<Advice> adviceFor(const Subject& subject, const WeightType* type, const Settings& settings);
std::vector<Advice> adviceFor(const Subject& subject, const TrainingEstimate& estimate);

} // namespace wb::memory
