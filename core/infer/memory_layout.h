// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/engine.h"

#include <initializer_list>
#include <string>

namespace wb::infer {

enum class MemoryUse : std::uint8_t { Weights, Keys, Values, State, Compute };

struct NamedBuffer {
    std::string name; // "attended [256][2048]", "blk.3.attn_q.weight"
    MemoryUse use = MemoryUse::Compute;
    std::uint64_t bytes = 0;
};

// The buffers that an engine needs for one graph and its options: the same list is summed when memory is planned and claimed when
// the engine is made, so that both agree.
class MemoryLayout {
public:
    // `claimed`: bytes that the engine's allocator takes for a buffer of so many.
    explicit MemoryLayout(std::uint64_t (*claimed)(std::uint64_t)) : m_claimed(claimed) {}

    // Adds a buffer of the product of `sizes` bytes and returns its number. A product beyond 64 bits is the largest number, which
    // no allocator gives.
    std::size_t add(std::string name, MemoryUse use, std::initializer_list<std::uint64_t> sizes);

    const std::vector<NamedBuffer>& buffers() const { return m_buffers; }

    // What all buffers claim. That of memory the system did not give where it is beyond 64 bits.
    Result<EngineMemory> memory() const;

private:
    std::uint64_t (*m_claimed)(std::uint64_t);
    std::vector<NamedBuffer> m_buffers;
};

} // namespace wb::infer
