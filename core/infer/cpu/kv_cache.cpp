// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kv_cache.h"

#include "core/base/checked.h"
#include "core/infer/cpu/exact.h"
#include "core/tensor/bytes.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::infer::cpu {
namespace {

// Codes of up to cacheGroup numbers, `step` bytes apart; answers their scale.
std::uint16_t encodeGroup(const float* numbers, std::size_t count, std::byte* codes, std::size_t step) {
    float absmax = 0;
    for (std::size_t i = 0; i < count; ++i) absmax = std::max(absmax, std::fabs(numbers[i]));
    const float inverse = absmax > leastMagnitude ? 127.0F / absmax : 0.0F;
    for (std::size_t i = 0; i < count; ++i)
        codes[i * step] = static_cast<std::byte>(static_cast<std::int8_t>(std::nearbyint(numbers[i] * inverse)));
    return f32ToF16(absmax / 127.0F);
}

// Calls scaleAt(group, scale) for each group of a head.
template <class ScaleAt>
void encodeHead(const float* numbers, std::size_t dimensions, std::byte* codes, std::size_t step, ScaleAt scaleAt) {
    for (std::size_t first = 0; first < dimensions; first += cacheGroup)
        scaleAt(first / cacheGroup,
                encodeGroup(numbers + first, std::min(cacheGroup, dimensions - first), codes + first * step, step));
}

void storeCodedKey(const float* key, std::size_t dimensions, std::byte* tile, std::size_t lane) {
    std::byte* const scales = tile + keyTile * dimensions;
    encodeHead(key, dimensions, tile + lane, keyTile,
               [&](std::size_t group, std::uint16_t scale) { store(scales + 2 * (group * keyTile + lane), scale); });
}

void storeCodedValue(const float* value, std::size_t dimensions, std::byte* to) {
    encodeHead(value, dimensions, to, 1,
               [&](std::size_t group, std::uint16_t scale) { store(to + dimensions + 2 * group, scale); });
}

constexpr std::size_t convertedAtOnce = 256;

Result<Buffer> makeHeads(std::uint64_t heads, std::uint64_t headBytes) {
    const auto bytes = checked::mul(heads, headBytes);
    if (!bytes) return std::unexpected(outOfMemory());
    return Buffer::make(*bytes);
}

} // namespace

namespace {

// The widest window that looks at the cache of a layer; 0 where one of them sees everything.
std::size_t windowOf(const arch::ModelSpec& spec, std::size_t layers, std::size_t owner) {
    std::size_t widest = 0;
    for (std::size_t i = 0; i < layers; ++i) {
        const arch::LayerSpec& layer = spec.layers[i];
        if (layer.cacheLayer != owner) continue;
        if (layer.window == 0) return 0;
        widest = std::max<std::size_t>(widest, layer.window);
    }
    return widest;
}

std::size_t tiled(std::size_t positions) { return (positions + keyTile - 1) / keyTile * keyTile; }

// Positions of a layer's own cache, and its window where it is a ring.
struct Extent {
    std::size_t positions = 0, window = 0;
};
Extent extentOf(const arch::ModelSpec& spec, std::size_t layers, std::size_t context, std::size_t slack, std::size_t layer) {
    const std::size_t window = windowOf(spec, layers, layer);
    const bool isRing = window > 0 && window < context && tiled(window + slack) < tiled(context);
    return isRing ? Extent{tiled(window + slack), window} : Extent{tiled(context), 0};
}

} // namespace

Result<KvCache> KvCache::make(const arch::ModelSpec& spec, std::size_t layers, std::size_t context, std::size_t slack,
                              CacheType keys, CacheType values) {
    KvCache cache;
    cache.m_keyType = keys;
    cache.m_valueType = values;
    cache.m_layers.resize(layers);
    for (std::size_t i = 0; i < layers; ++i) {
        const arch::LayerSpec& from = spec.layers[i];
        Layer& layer = cache.m_layers[i];
        if (!from.ownsCache(i)) continue;
        const Extent extent = extentOf(spec, layers, context, slack, i);
        layer.window = extent.window;
        layer.positions = extent.positions;
        layer.keyLength = from.keyLength;
        layer.valueLength = from.valueLength;
        layer.keyHeadBytes = layer.positions * positionBytes(keys, from.keyLength);
        layer.valueHeadBytes = layer.positions * positionBytes(values, from.valueLength);
        WB_TRY_ASSIGN(layer.keys, makeHeads(from.kvHeads, layer.keyHeadBytes));
        WB_TRY_ASSIGN(layer.values, makeHeads(from.kvHeads, layer.valueHeadBytes));
    }
    return cache;
}

void KvCache::setStored(std::size_t begin, std::size_t end) {
    for (Layer& layer : m_layers) {
        if (layer.window == 0) continue;
        if (begin == 0) layer.validFrom = 0;
        if (end > layer.positions) layer.validFrom = std::max(layer.validFrom, end - layer.positions);
    }
}

bool KvCache::canGoOnFrom(std::size_t position) const {
    return std::ranges::all_of(m_layers, [position](const Layer& layer) {
        return position == 0 || layer.window == 0 || layer.validFrom + layer.window <= position + 1 || layer.validFrom == 0;
    });
}

Result<std::uint64_t> KvCache::planned(const arch::ModelSpec& spec, std::size_t layers, std::size_t context, std::size_t slack,
                                       CacheType type, std::uint64_t arch::LayerSpec::* length) {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < layers; ++i) {
        const arch::LayerSpec& layer = spec.layers[i];
        if (!layer.ownsCache(i)) continue;
        const std::size_t positions = extentOf(spec, layers, context, slack, i).positions;
        const auto bytes = checked::mul(layer.kvHeads, positions * positionBytes(type, layer.*length));
        const auto more = bytes ? checked::add(all, Buffer::claimFor(*bytes)) : std::nullopt;
        if (!more) return std::unexpected(outOfMemory());
        all = *more;
    }
    return all;
}

std::uint64_t KvCache::keyBytes() const {
    std::uint64_t all = 0;
    for (const Layer& layer : m_layers) all += layer.keys.claim();
    return all;
}

std::uint64_t KvCache::valueBytes() const {
    std::uint64_t all = 0;
    for (const Layer& layer : m_layers) all += layer.values.claim();
    return all;
}

std::byte* KvCache::keyTileAt(const Layer& layer, std::size_t head, std::size_t position) const {
    const std::size_t tileBytes = keyTile * positionBytes(m_keyType, layer.keyLength);
    return layer.keys.data() + head * layer.keyHeadBytes + position % layer.positions / keyTile * tileBytes;
}

void KvCache::storeKey(std::size_t index, std::size_t head, std::size_t position, const float* key, const Kernels& kernels) const {
    const Layer& layer = m_layers[index];
    std::byte* const tile = keyTileAt(layer, head, position);
    const std::size_t lane = position % keyTile;
    if (m_keyType == CacheType::Q8_0) return storeCodedKey(key, layer.keyLength, tile, lane);
    if (m_keyType == CacheType::F32) {
        for (std::size_t d = 0; d < layer.keyLength; ++d) store(tile + 4 * (d * keyTile + lane), key[d]);
        return;
    }
    std::array<std::uint16_t, convertedAtOnce> halves;
    for (std::size_t first = 0; first < layer.keyLength; first += convertedAtOnce) {
        const std::size_t count = std::min(convertedAtOnce, layer.keyLength - first);
        kernels.toF16(key + first, count, halves.data());
        for (std::size_t d = 0; d < count; ++d) store(tile + 2 * ((first + d) * keyTile + lane), halves[d]);
    }
}

void KvCache::storeValue(std::size_t index, std::size_t head, std::size_t position, const float* value,
                         const Kernels& kernels) const {
    const Layer& layer = m_layers[index];
    std::byte* const to = layer.values.data() + head * layer.valueHeadBytes +
                          position % layer.positions * positionBytes(m_valueType, layer.valueLength);
    switch (m_valueType) {
    case CacheType::F16: return kernels.toF16(value, layer.valueLength, reinterpret_cast<std::uint16_t*>(to));
    case CacheType::F32: std::copy_n(value, layer.valueLength, reinterpret_cast<float*>(to)); return;
    case CacheType::Q8_0: return storeCodedValue(value, layer.valueLength, to);
    }
}

} // namespace wb::infer::cpu
