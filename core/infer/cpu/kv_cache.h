// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cached_rows.h"
#include "core/infer/cpu/kernels/kernels.h"
#include "core/infer/cpu/memory.h"
#include "core/infer/graph/operations.h"

#include <vector>

namespace wb::infer::cpu {

// The keys (rotated) and values of each of a graph's caches: of all positions, or where all readers have a window as a ring of the
// last ones. A head's keys are stored as [position / 16][dimension][16], so that scores are computed for 16 positions at once; its
// values as [position][dimension].
class KvCache {
public:
    // Keys of an indexer have at least 16 bits. Next to its window a ring holds `slack` positions: the longest batch, and tokens
    // that can be taken back. The cache must stay where it is until the memory is allocated.
    void plan(CpuMemory& memory, const std::vector<CacheShape>& caches, std::size_t context, std::size_t slack, CacheType keys,
              CacheType values);

    CacheType keyType(std::size_t cache) const { return m_caches[cache].keyType; }
    CacheType valueType() const { return m_valueType; }

    // How many positions a cache holds, a multiple of keyTile; position p is stored at place p % positions.
    std::size_t positions(std::size_t cache) const { return m_caches[cache].positions; }

    // Notes that the positions up to `end` have been stored, from `start` on.
    void setStored(std::size_t begin, std::size_t end);
    // Whether every cache still contains the positions that a token at `position` attends to.
    bool canGoOnFrom(std::size_t position) const;

    // Threads may store different heads or positions at once.
    void storeKey(std::size_t cache, std::size_t head, std::size_t position, const float* key, const Kernels& kernels) const;
    void storeValue(std::size_t cache, std::size_t head, std::size_t position, const float* value, const Kernels& kernels) const;

    // Of a cache without ring and codes (canHandOver).
    void read(const CachedRange& range, CachedRows& rows) const;
    void write(const CachedRange& range, const CachedRows& rows) const;

    const void* keys(std::size_t cache, std::size_t head) const {
        return m_caches[cache].keys.data() + head * m_caches[cache].keyHeadBytes;
    }
    const void* values(std::size_t cache, std::size_t head) const {
        return m_caches[cache].values.data() + head * m_caches[cache].valueHeadBytes;
    }

private:
    struct Cache {
        Buffer keys, values;
        CacheType keyType = CacheType::F16;
        std::size_t heads = 0, keyLength = 0, valueLength = 0;
        std::size_t keyHeadBytes = 0, valueHeadBytes = 0;
        std::size_t positions = 0;
        std::size_t window = 0;    // the widest of its readers; 0: all positions are held
        std::size_t validFrom = 0; // earlier positions are no longer stored
    };

    std::byte* keyTileAt(const Cache& cache, std::size_t head, std::size_t position) const;
    template <class Copy>
    void eachRow(const CachedRange& range, Copy copy) const;

    CacheType m_valueType = CacheType::F16;
    std::vector<Cache> m_caches;
};

} // namespace wb::infer::cpu
