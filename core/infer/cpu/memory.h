// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/buffer.h"
#include "core/infer/memory_layout.h"

#include <algorithm>
#include <vector>

namespace wb::infer::cpu {

// All memory of the CPU's engine: each part of the engine adds the buffers that it needs, then their sum is the plan, and
// allocate() fills them.
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
        for (std::size_t i = 0; i < m_targets.size(); ++i) {
            WB_TRY_ASSIGN(*m_targets[i], Buffer::make(m_layout.buffers()[i].bytes));
        }
        return {};
    }

private:
    MemoryLayout m_layout{&Buffer::claimFor};
    std::vector<Buffer*> m_targets; // of each buffer of the layout
};

} // namespace wb::infer::cpu
