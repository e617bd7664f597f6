// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/engine_options.h"
#include "core/infer/graph/graph.h"

#include <cstddef>
#include <vector>

namespace wb::infer {

// Positions of one cache of a graph.
struct CachedRange {
    std::size_t cache = 0;            // of Graph::caches
    std::size_t first = 0, count = 0; // positions
};

// Their keys and values in the type of the cache, F16 or F32, without an engine's order and padding: [kvHeads][count][length].
struct CachedRows {
    std::vector<std::byte> keys, values;
};

// Bytes of a number in such rows.
constexpr std::size_t numberBytes(CacheType type) { return type == CacheType::F32 ? 4 : 2; }

// Whether an engine can continue what another has evaluated once it has the rows of all caches: the caches hold all positions, in
// F16 or F32, and nothing else depends on earlier tokens.
bool canHandOver(const Graph& graph, const EngineOptions& options);

} // namespace wb::infer
