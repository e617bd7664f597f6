// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/engine.h"
#include "core/infer/graph.h"
#include "core/memory/estimate.h"

namespace wb::infer {

// What the engine of the processor would claim for this model, part by part, in the form of core/memory: class "plan". Nothing is
// read but the index. `threads`: 0 takes as many as the machine has. Unsupported: an architecture that no engine runs, a setting
// that the engine lacks (several slots, a graphics device, cache types other than f16, f32 and q8_0).
Result<memory::Estimate> planMemory(const memory::Subject& subject, const memory::Settings& settings, unsigned threads);

// The same form for what an engine has claimed: class "allocated".
memory::Estimate allocatedMemory(const memory::Subject& subject, const memory::Settings& settings, const Engine& engine);

} // namespace wb::infer
