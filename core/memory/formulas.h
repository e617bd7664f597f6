// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/estimate.h"

namespace wb::memory {

// The parts above zero of a plan, each with its formula and the numbers in it.
std::vector<MemoryPart> memoryParts(const Subject& subject, const Weights& weights, const Settings& settings, const Plan& plan);

// "18.50", "4": bytes or bits without needless zeros.
std::string plainNumber(double value);

} // namespace wb::memory
