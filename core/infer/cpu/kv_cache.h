// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/model_spec.h"
#include "core/infer/cpu/kernels.h"

#include <vector>

namespace wb::infer::cpu {

// The keys (rotated) and values of every layer that has its own: of all positions, or where the layer has a window as a ring of the
// last ones. A head's keys lie as [position / 16][dimension][16], so that scores are computed for 16 positions at once; its values
// as [position][dimension].
class KvCache {
public:
    // Beside its window a ring holds `slack` positions: the longest batch, and tokens that can be taken back.
    static Result<KvCache> make(const arch::ModelSpec& spec, std::size_t layers, std::size_t context, std::size_t slack,
                                CacheType keys, CacheType values);

    // What make() would claim for the keys, or for the values, whose length is given.
    static Result<std::uint64_t> planned(const arch::ModelSpec& spec, std::size_t layers, std::size_t context, std::size_t slack,
                                         CacheType type, std::uint64_t arch::LayerSpec::* length);
    std::uint64_t keyBytes() const; // of all layers, claimed
    std::uint64_t valueBytes() const;

    CacheType keyType() const { return m_keyType; }
    CacheType valueType() const { return m_valueType; }

    // How many positions the layer holds, a multiple of keyTile; position p lies in place p % positions.
    std::size_t positions(std::size_t layer) const { return m_layers[layer].positions; }

    // Notes that the positions up to `end` have been stored, from `begin` on.
    void setStored(std::size_t begin, std::size_t end);
    // Whether every layer still holds what a token at `position` looks back at.
    bool canGoOnFrom(std::size_t position) const;

    // Threads may store different heads or positions at once.
    void storeKey(std::size_t layer, std::size_t head, std::size_t position, const float* key, const Kernels& kernels) const;
    void storeValue(std::size_t layer, std::size_t head, std::size_t position, const float* value, const Kernels& kernels) const;

    const void* keys(std::size_t layer, std::size_t head) const {
        return m_layers[layer].keys.data() + head * m_layers[layer].keyHeadBytes;
    }
    const void* values(std::size_t layer, std::size_t head) const {
        return m_layers[layer].values.data() + head * m_layers[layer].valueHeadBytes;
    }

private:
    struct Layer {
        Buffer keys, values;
        std::size_t keyLength = 0, valueLength = 0;
        std::size_t keyHeadBytes = 0, valueHeadBytes = 0;
        std::size_t positions = 0;
        std::size_t window = 0;    // of those who read it the widest; 0: all positions are held
        std::size_t validFrom = 0; // no position before it is held any more
    };

    std::byte* keyTileAt(const Layer& layer, std::size_t head, std::size_t position) const;

    CacheType m_keyType = CacheType::F16, m_valueType = CacheType::F16;
    std::vector<Layer> m_layers;
};

} // namespace wb::infer::cpu
