// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/engine.h"
#include "core/infer/graph/graph.h"

#include <memory>

namespace wb::infer {

// Tokens that a batch of a prompt has at least; shorter ones are cheaper where the response is written.
inline constexpr std::size_t leastPromptTokens = 16;

// Two engines of the same graph and options as one: the first evaluates prompts, the second single tokens and short batches. What
// one has evaluated is copied to the cache of the other when that continues. canHandOver() holds for the graph and options, and the
// weights are in memory twice.
std::unique_ptr<Engine> makeHandoverEngine(const Graph& graph, std::unique_ptr<Engine> prompt, std::unique_ptr<Engine> response);

} // namespace wb::infer
