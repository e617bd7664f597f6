// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/engine.h"

#include <array>
#include <initializer_list>
#include <string>

namespace wb::infer {

enum class MemoryUse : std::uint8_t { Weights, Keys, Values, State, Compute };
inline constexpr std::size_t memoryUses = 5;

struct NamedBuffer {
    std::string name; // "attended [256][2048]", "blk.3.attn_q.weight"
    MemoryUse use = MemoryUse::Compute;
    std::uint64_t bytes = 0;
};

// The buffers that an engine needs for one graph and its options: the same list is summed when memory is planned and claimed when
// the engine is made, so that both agree.
class MemoryLayout {
public:
    // `claimed`: bytes that the engine's allocator takes for a buffer of so many. `together`: those that it takes for all buffers
    // of one use, which need so many; null where it takes no more.
    using Claim = std::uint64_t (*)(std::uint64_t);
    explicit MemoryLayout(Claim claimed, Claim together = nullptr) : m_claimed(claimed), m_together(together) {}

    // Adds a buffer of the product of `sizes` bytes and returns its number. A product beyond 64 bits is the largest number, which
    // no allocator gives.
    std::size_t add(std::string name, MemoryUse use, std::initializer_list<std::uint64_t> sizes);

    const std::vector<NamedBuffer>& buffers() const { return m_buffers; }

    // The bytes that the buffers of each use claim, before `together`, and the memory of all. A sum beyond 64 bits is the error of
    // memory that the system did not give.
    Result<std::array<std::uint64_t, memoryUses>> sums() const;
    Result<EngineMemory> memory() const;

private:
    Claim m_claimed, m_together;
    std::vector<NamedBuffer> m_buffers;
};

} // namespace wb::infer
