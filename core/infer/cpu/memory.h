// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/checked.h"
#include "core/infer/cpu/buffer.h"
#include "core/infer/graph/memory_layout.h"

#include <array>
#include <vector>

namespace wb::infer::cpu {

// All memory of the CPU's engine: each part of the engine adds the buffers that it needs, then their sum is the plan, and
// allocate() fills them. The buffers of one use lie side by side in one allocation, so that only that is rounded up to pages.
class CpuMemory {
public:
    // `into` must stay where it is until allocate() has been called.
    void add(Buffer& into, std::string name, MemoryUse use, std::initializer_list<std::uint64_t> sizes) {
        m_layout.add(std::move(name), use, sizes);
        m_targets.push_back(&into);
    }

    const MemoryLayout& layout() const { return m_layout; }

    // The error is that of memory the system did not give.
    Result<void> allocate() const {
        WB_TRY_ASSIGN(const auto sizes, m_layout.sums());
        std::array<Buffer, memoryUses> all;
        std::array<std::uint64_t, memoryUses> used{};
        for (std::size_t use = 0; use < memoryUses; ++use) {
            WB_TRY_ASSIGN(all[use], Buffer::make(sizes[use]));
        }
        for (std::size_t i = 0; i < m_targets.size(); ++i) {
            const NamedBuffer& buffer = m_layout.buffers()[i];
            const auto use = static_cast<std::size_t>(buffer.use);
            *m_targets[i] = all[use].part(used[use], buffer.bytes);
            used[use] += roundUp(buffer.bytes);
        }
        return {};
    }

private:
    // To whole cache lines.
    static std::uint64_t roundUp(std::uint64_t bytes) { return checked::alignUp(bytes, 64).value_or(bytes); }

    MemoryLayout m_layout{&roundUp, &Buffer::claimFor};
    std::vector<Buffer*> m_targets; // of each buffer of the layout
};

} // namespace wb::infer::cpu
