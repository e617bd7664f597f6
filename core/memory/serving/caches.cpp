// SPDX-License-Identifier: MIT
#include "core/memory/serving/caches.h"

#include "core/memory/amounts.h"

#include <algorithm>

namespace wb::memory {
namespace {

using arch::LayerSpec;

// Without flash attention values are transposed, and every row is as wide as the widest layer's.
std::uint64_t widestValues(const arch::ModelSpec& spec) {
    std::uint64_t widest = 0;
    for (const LayerSpec& layer : spec.layers) widest = std::max(widest, layer.kvHeads * layer.valueLength);
    return widest;
}

std::uint64_t typeBytes(Dtype type, std::uint64_t elements) {
    const DtypeInfo& row = info(type);
    return product(elements / row.blockElements + (elements % row.blockElements == 0 ? 0 : 1), row.blockBytes);
}

} // namespace

CacheCells cacheCells(const arch::ModelSpec& spec, const Settings& settings) {
    CacheCells cells;
    const std::uint64_t conversations = std::max<std::uint64_t>(1, settings.conversations);
    cells.streams = settings.unified ? 1 : conversations;
    cells.full = tokenCells(tokenCells(settings.context) / cells.streams);
    if (spec.window == 0) return cells;
    const std::uint64_t ahead = allocatorRules(settings).windowsHoldBatch ? settings.batch : settings.tokensAtOnce();
    const std::uint64_t kept = sum(product(spec.window, settings.unified ? conversations : 1), ahead);
    cells.window = settings.fullWindows ? cells.full : std::min(cells.full, tokenCells(std::min(cells.full, kept)));
    return cells;
}

std::uint64_t LayerCache::keyBytes(Dtype type) const { return product(cells, typeBytes(type, keyElements)); }
std::uint64_t LayerCache::valueBytes(Dtype type) const { return product(cells, typeBytes(type, valueElements)); }

std::vector<LayerCache> layerCaches(const arch::ModelSpec& spec, const Settings& settings) {
    const CacheCells cells = cacheCells(spec, settings);
    const std::uint64_t widest = settings.flash ? 0 : widestValues(spec);
    std::vector<LayerCache> caches(spec.trunkLayers());
    for (std::size_t i = 0; i < caches.size(); ++i) {
        const LayerSpec& layer = spec.layers[i];
        if (!layer.ownsCache(i)) continue;
        LayerCache& cache = caches[i];
        cache.hasWindow = layer.window > 0;
        cache.cells = product(cells.streams, cache.hasWindow ? cells.window : cells.full);
        cache.keyElements = layer.kvHeads * layer.keyLength;
        cache.valueElements = std::max(widest, layer.kvHeads * layer.valueLength);
    }
    return caches;
}

std::uint64_t predictionCacheBytes(const arch::ModelSpec& spec, const Settings& settings) {
    const CacheCells cells = cacheCells(spec, settings);
    std::uint64_t elements = 0;
    for (const LayerSpec& layer : spec.layers)
        if (layer.predictsAhead) elements = sum(elements, product(layer.kvHeads, sum(layer.keyLength, layer.valueLength)));
    return product(2, cells.streams, cells.full, elements);
}

std::vector<CacheGroup> cacheGroups(const arch::ModelSpec& spec, const Settings& settings) {
    const CacheCells cells = cacheCells(spec, settings);
    CacheGroup full{cells.full, cells.streams, 0};
    CacheGroup window{cells.window, cells.streams, 0};
    for (const LayerCache& cache : layerCaches(spec, settings))
        if (cache.cells > 0) ++(cache.hasWindow ? window : full).layers;
    std::vector<CacheGroup> groups;
    if (full.layers > 0) groups.push_back(full);
    if (window.layers > 0) groups.push_back(window);
    return groups;
}

std::optional<std::uint64_t> kvBytes(const arch::ModelSpec& spec, const Settings& settings) {
    if (std::ranges::none_of(spec.layers, &LayerSpec::hasAttention)) return std::nullopt;
    std::uint64_t bytes = 0;
    for (const LayerCache& cache : layerCaches(spec, settings))
        bytes = sum(bytes, cache.keyBytes(settings.keyType), cache.valueBytes(settings.valueType));
    return bytes;
}

} // namespace wb::memory
