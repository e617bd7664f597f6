// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/memory_layout.h"
#include "gpu/device/arena.h"

#include <vector>

namespace wb::gpu {

inline View viewPart(const View& view, std::uint64_t offset, std::uint64_t bytes) {
    return {view.buffer, view.offset + offset, bytes};
}

// All device memory of an engine: each part of the engine adds the buffers that it needs, then their sum is the plan, and
// allocate() fills them.
class DeviceMemory {
public:
    // `into` must stay where it is until allocate() has been called.
    void add(View& into, std::string name, infer::MemoryUse use, std::initializer_list<std::uint64_t> sizes) {
        m_layout.add(std::move(name), use, sizes);
        m_targets.push_back(&into);
    }

    const infer::MemoryLayout& layout() const { return m_layout; }

    // TooLarge where the device has no memory left.
    Result<void> allocate(const DevicePtr& device) const {
        Arena arena(device, Memory::Device);
        for (std::size_t i = 0; i < m_targets.size(); ++i) {
            WB_TRY_ASSIGN(*m_targets[i], arena.take(m_layout.buffers()[i].bytes));
        }
        return {};
    }

private:
    infer::MemoryLayout m_layout{&Arena::roomFor};
    std::vector<View*> m_targets; // of each buffer of the layout
};

} // namespace wb::gpu
