// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kv_cache.h"

#include "core/base/checked.h"
#include "core/infer/cpu/kernels/exact.h"
#include "core/tensor/bytes.h"
#include "core/tensor/half.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace wb::infer::cpu {
namespace {

// Codes of up to cacheGroup numbers, `step` bytes apart; answers their scale.
std::uint16_t encodeGroup(const float* numbers, std::size_t count, std::byte* codes, std::size_t step) {
    float absmax = 0;
    for (std::size_t i = 0; i < count; ++i) absmax = std::max(absmax, std::fabs(numbers[i]));
    const float inverse = absmax > minMagnitude ? 127.0F / absmax : 0.0F;
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

std::size_t wholeTiles(std::size_t positions) { return (positions + keyTile - 1) / keyTile * keyTile; }

} // namespace

void KvCache::plan(CpuMemory& memory, const std::vector<CacheShape>& caches, std::size_t context, std::size_t slack, CacheType keys,
                   CacheType values) {
    m_valueType = values;
    m_caches = std::vector<Cache>(caches.size());
    for (std::size_t i = 0; i < caches.size(); ++i) {
        const auto& [heads, window, block] = caches[i];
        Cache& cache = m_caches[i];
        const bool isRing = window > 0 && window < context && wholeTiles(window + slack) < wholeTiles(context);
        cache.window = isRing ? window : 0;
        cache.positions = wholeTiles(isRing ? window + slack : (context + block - 1) / block);
        cache.keyType = heads.valueLength == 0 && keys == CacheType::Q8_0 ? CacheType::F16 : keys;
        cache.heads = heads.kvHeads;
        cache.keyLength = heads.keyLength;
        cache.valueLength = heads.valueLength;
        cache.keyHeadBytes = cache.positions * positionBytes(cache.keyType, heads.keyLength);
        cache.valueHeadBytes = cache.positions * positionBytes(values, heads.valueLength);
        memory.add(cache.keys,
                   fmt::format("keys {} [{}][{}][{}] {}", i, heads.kvHeads, cache.positions, heads.keyLength, name(cache.keyType)),
                   MemoryUse::Keys, {heads.kvHeads, cache.keyHeadBytes});
        memory.add(cache.values,
                   fmt::format("values {} [{}][{}][{}] {}", i, heads.kvHeads, cache.positions, heads.valueLength, name(values)),
                   MemoryUse::Values, {heads.kvHeads, cache.valueHeadBytes});
    }
}

void KvCache::setStored(std::size_t begin, std::size_t end) {
    for (Cache& cache : m_caches) {
        if (cache.window == 0) continue;
        if (begin == 0) cache.validFrom = 0;
        if (end > cache.positions) cache.validFrom = std::max(cache.validFrom, end - cache.positions);
    }
}

bool KvCache::canGoOnFrom(std::size_t position) const {
    return std::ranges::all_of(m_caches, [position](const Cache& cache) {
        return position == 0 || cache.window == 0 || cache.validFrom + cache.window <= position + 1 || cache.validFrom == 0;
    });
}

std::byte* KvCache::keyTileAt(const Cache& cache, std::size_t head, std::size_t position) const {
    const std::size_t tileBytes = keyTile * positionBytes(cache.keyType, cache.keyLength);
    return cache.keys.data() + head * cache.keyHeadBytes + position % cache.positions / keyTile * tileBytes;
}

void KvCache::storeKey(std::size_t index, std::size_t head, std::size_t position, const float* key, const Kernels& kernels) const {
    const Cache& cache = m_caches[index];
    std::byte* const tile = keyTileAt(cache, head, position);
    const std::size_t lane = position % keyTile;
    if (cache.keyType == CacheType::Q8_0) return storeCodedKey(key, cache.keyLength, tile, lane);
    if (cache.keyType == CacheType::F32) {
        for (std::size_t d = 0; d < cache.keyLength; ++d) store(tile + 4 * (d * keyTile + lane), key[d]);
        return;
    }
    std::array<std::uint16_t, convertedAtOnce> halves;
    for (std::size_t first = 0; first < cache.keyLength; first += convertedAtOnce) {
        const std::size_t count = std::min(convertedAtOnce, cache.keyLength - first);
        kernels.toF16(key + first, count, halves.data());
        for (std::size_t d = 0; d < count; ++d) store(tile + 2 * ((first + d) * keyTile + lane), halves[d]);
    }
}

void KvCache::storeValue(std::size_t index, std::size_t head, std::size_t position, const float* value,
                         const Kernels& kernels) const {
    const Cache& cache = m_caches[index];
    std::byte* const to = cache.values.data() + head * cache.valueHeadBytes +
                          position % cache.positions * positionBytes(m_valueType, cache.valueLength);
    switch (m_valueType) {
    case CacheType::F16: return kernels.toF16(value, cache.valueLength, reinterpret_cast<std::uint16_t*>(to));
    case CacheType::F32: std::copy_n(value, cache.valueLength, reinterpret_cast<float*>(to)); return;
    case CacheType::Q8_0: return storeCodedValue(value, cache.valueLength, to);
    }
}

// copy(offset in the rows of keys, first number of a key here, offset in the rows of values, a value here) for each head and
// position; the numbers of a key are keyTile apart.
template <class Copy>
void KvCache::eachRow(const CachedRange& range, Copy copy) const {
    const Cache& cache = m_caches[range.cache];
    const std::size_t keyBytes = positionBytes(cache.keyType, cache.keyLength),
                      valueBytes = positionBytes(m_valueType, cache.valueLength);
    for (std::size_t head = 0; head < cache.heads; ++head)
        for (std::size_t i = 0; i < range.count; ++i) {
            const std::size_t row = head * range.count + i, position = range.first + i;
            copy(row * keyBytes, keyTileAt(cache, head, position) + position % keyTile * numberBytes(cache.keyType),
                 row * valueBytes, cache.values.data() + head * cache.valueHeadBytes + position * valueBytes);
        }
}

void KvCache::read(const CachedRange& range, CachedRows& rows) const {
    const Cache& cache = m_caches[range.cache];
    const std::size_t number = numberBytes(cache.keyType), valueBytes = positionBytes(m_valueType, cache.valueLength);
    rows.keys.resize(cache.heads * range.count * cache.keyLength * number);
    rows.values.resize(cache.heads * range.count * valueBytes);
    eachRow(range, [&](std::size_t key, const std::byte* tile, std::size_t value, const std::byte* stored) {
        for (std::size_t d = 0; d < cache.keyLength; ++d)
            std::memcpy(rows.keys.data() + key + d * number, tile + d * keyTile * number, number);
        std::copy_n(stored, valueBytes, rows.values.data() + value);
    });
}

void KvCache::write(const CachedRange& range, const CachedRows& rows) const {
    const Cache& cache = m_caches[range.cache];
    const std::size_t number = numberBytes(cache.keyType), valueBytes = positionBytes(m_valueType, cache.valueLength);
    eachRow(range, [&](std::size_t key, std::byte* tile, std::size_t value, std::byte* stored) {
        for (std::size_t d = 0; d < cache.keyLength; ++d)
            std::memcpy(tile + d * keyTile * number, rows.keys.data() + key + d * number, number);
        std::copy_n(rows.values.data() + value, valueBytes, stored);
    });
}

} // namespace wb::infer::cpu
