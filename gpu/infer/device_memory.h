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
        m_targets.push_back({&into});
    }

    // Two of these, one directly after the other: their bytes are a multiple of `aligned`.
    void addPair(View& first, View& second, std::string name, infer::MemoryUse use, std::uint64_t rows, std::uint64_t bytes) {
        m_layout.add(std::move(name), use, {2, rows, bytes});
        m_targets.push_back({&first, &second});
    }
    static constexpr std::uint64_t aligned = Arena::roomFor(1);

    const infer::MemoryLayout& layout() const { return m_layout; }

    // TooLarge where the device has no memory left.
    Result<void> allocate(const DevicePtr& device) const {
        Arena arena(device, Memory::Device);
        for (std::size_t i = 0; i < m_targets.size(); ++i) {
            WB_TRY_ASSIGN(const View all, arena.take(m_layout.buffers()[i].bytes));
            const std::uint64_t each = all.bytes / m_targets[i].size();
            for (std::size_t t = 0; t < m_targets[i].size(); ++t) *m_targets[i][t] = viewPart(all, t * each, each);
        }
        return {};
    }

private:
    infer::MemoryLayout m_layout{&Arena::roomFor};
    std::vector<std::vector<View*>> m_targets; // of each buffer of the layout, which they share equally
};

} // namespace wb::gpu
