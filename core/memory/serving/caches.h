// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/settings.h"

#include <algorithm>
#include <vector>

namespace wb::memory {

// Caches are rounded up to 256 cells.
constexpr std::uint64_t tokenCells(std::uint64_t tokens) { return (std::min(tokens, arch::maxContext) + 255) / 256 * 256; }

// The cells of a model's caches (docs/reference/memory.md, "General" and "By kind").
struct CacheCells {
    std::uint64_t streams = 1; // as many caches: one a slot where they are not unified
    std::uint64_t full = 0;    // cells of one stream in a layer that sees everything
    std::uint64_t window = 0;  // in a layer with a window
};
CacheCells cacheCells(const arch::ModelSpec& spec, const Settings& settings);

// What one layer stores in its caches, all streams together; zero where it has none.
struct LayerCache {
    std::uint64_t cells = 0;         // of all streams
    std::uint64_t keyElements = 0;   // of one cell
    std::uint64_t valueElements = 0; // of one cell
    bool hasWindow = false;

    std::uint64_t keyBytes(Dtype type) const;
    std::uint64_t valueBytes(Dtype type) const;
};

// One entry a layer of the trunk.
std::vector<LayerCache> layerCaches(const arch::ModelSpec& spec, const Settings& settings);

// The cache of MTP layers in speculative decoding: keys and values of every token, in f16 whatever the
// cache of the model has (docs/reference/memory.md, "Bytes per context token").
std::uint64_t predictionCacheBytes(const arch::ModelSpec& spec, const Settings& settings);

// Cells, streams and layers of each type of cache, the one with windows last.
struct CacheGroup {
    std::uint64_t cells = 0, streams = 0, layers = 0;
};
std::vector<CacheGroup> cacheGroups(const arch::ModelSpec& spec, const Settings& settings);

// Bytes of K and V together; empty for a model without layers or without attention.
std::optional<std::uint64_t> kvBytes(const arch::ModelSpec& spec, const Settings& settings);

} // namespace wb::memory
