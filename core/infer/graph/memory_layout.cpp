// SPDX-License-Identifier: MIT
#include "core/infer/graph/memory_layout.h"

#include "core/base/checked.h"

#include <limits>

namespace wb::infer {
namespace {

constexpr std::uint64_t impossible = std::numeric_limits<std::uint64_t>::max();

std::uint64_t& part(EngineMemory& memory, MemoryUse use) {
    switch (use) {
    case MemoryUse::Weights: return memory.weights;
    case MemoryUse::Keys: return memory.keys;
    case MemoryUse::Values: return memory.values;
    case MemoryUse::State: return memory.state;
    case MemoryUse::Compute: break;
    }
    return memory.compute;
}

} // namespace

std::size_t MemoryLayout::add(std::string name, MemoryUse use, std::initializer_list<std::uint64_t> sizes) {
    std::uint64_t bytes = 1;
    for (const std::uint64_t size : sizes) bytes = checked::mul(bytes, size).value_or(impossible);
    m_buffers.push_back({std::move(name), use, bytes});
    return m_buffers.size() - 1;
}

Result<std::array<std::uint64_t, memoryUses>> MemoryLayout::sums() const {
    std::array<std::uint64_t, memoryUses> sums{};
    for (const NamedBuffer& buffer : m_buffers) {
        std::uint64_t& use = sums[static_cast<std::size_t>(buffer.use)];
        const auto sum = checked::add(use, buffer.bytes == impossible ? impossible : m_claimed(buffer.bytes));
        if (!sum) return std::unexpected(outOfMemory());
        use = *sum;
    }
    return sums;
}

Result<EngineMemory> MemoryLayout::memory() const {
    WB_TRY_ASSIGN(const auto uses, sums());
    EngineMemory memory;
    std::uint64_t total = 0;
    for (std::size_t use = 0; use < memoryUses; ++use) {
        std::uint64_t& bytes = part(memory, static_cast<MemoryUse>(use));
        bytes = m_together ? m_together(uses[use]) : uses[use];
        const auto sum = checked::add(total, bytes);
        if (!sum) return std::unexpected(outOfMemory());
        total = *sum;
    }
    return memory;
}

} // namespace wb::infer
