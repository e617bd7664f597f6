// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kv_cache.h"

#include "core/base/checked.h"

#include <algorithm>

namespace wb::infer::cpu {
namespace {

constexpr std::size_t convertedAtOnce = 256;

std::size_t elementBytes(CacheType type) { return type == CacheType::F16 ? 2 : 4; }

Result<Buffer> makeHeads(std::uint64_t heads, std::uint64_t headBytes) {
    const auto bytes = checked::mul(heads, headBytes);
    if (!bytes) return std::unexpected(outOfMemory());
    return Buffer::make(*bytes);
}

} // namespace

Result<KvCache> KvCache::make(const arch::ModelSpec& spec, std::size_t layers, std::size_t context, CacheType type) {
    KvCache cache;
    cache.m_type = type;
    cache.m_layers.resize(layers);
    const std::size_t positions = (context + keyTile - 1) / keyTile * keyTile;
    for (std::size_t i = 0; i < layers; ++i) {
        const arch::LayerSpec& from = spec.layers[i];
        Layer& layer = cache.m_layers[i];
        layer.keyLength = from.keyLength;
        layer.valueLength = from.valueLength;
        layer.keyHeadBytes = positions * from.keyLength * elementBytes(type);
        layer.valueHeadBytes = positions * from.valueLength * elementBytes(type);
        WB_TRY_ASSIGN(layer.keys, makeHeads(from.kvHeads, layer.keyHeadBytes));
        WB_TRY_ASSIGN(layer.values, makeHeads(from.kvHeads, layer.valueHeadBytes));
    }
    return cache;
}

template <class Stored>
void KvCache::scatterKey(const Layer& layer, std::size_t head, std::size_t position, const Stored* key) const {
    Stored* const tile =
        reinterpret_cast<Stored*>(layer.keys.data() + head * layer.keyHeadBytes) + position / keyTile * keyTile * layer.keyLength;
    for (std::size_t d = 0; d < layer.keyLength; ++d) tile[d * keyTile + position % keyTile] = key[d];
}

void KvCache::storeKey(std::size_t index, std::size_t head, std::size_t position, const float* key, const Kernels& kernels) const {
    const Layer& layer = m_layers[index];
    if (m_type == CacheType::F32) return scatterKey(layer, head, position, key);
    auto* const tile = reinterpret_cast<std::uint16_t*>(layer.keys.data() + head * layer.keyHeadBytes) +
                       position / keyTile * keyTile * layer.keyLength + position % keyTile;
    std::array<std::uint16_t, convertedAtOnce> halves;
    for (std::size_t first = 0; first < layer.keyLength; first += convertedAtOnce) {
        const std::size_t count = std::min(convertedAtOnce, layer.keyLength - first);
        kernels.toF16(key + first, count, halves.data());
        for (std::size_t d = 0; d < count; ++d) tile[(first + d) * keyTile] = halves[d];
    }
}

void KvCache::storeValue(std::size_t index, std::size_t head, std::size_t position, const float* value,
                         const Kernels& kernels) const {
    const Layer& layer = m_layers[index];
    std::byte* const to = layer.values.data() + head * layer.valueHeadBytes + position * layer.valueLength * elementBytes(m_type);
    if (m_type == CacheType::F16) kernels.toF16(value, layer.valueLength, reinterpret_cast<std::uint16_t*>(to));
    else std::copy_n(value, layer.valueLength, reinterpret_cast<float*>(to));
}

} // namespace wb::infer::cpu
