// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"

#include <algorithm>

namespace wb::gpu {

// Hands out parts of large buffers of one memory type, since drivers allow few allocations (4,096 everywhere) and a model has
// thousands of parts. Nothing is given back but everything together, when the last view is gone. Not thread-safe.
class Arena {
public:
    Arena(DevicePtr device, Memory memory) : m_device(std::move(device)), m_memory(memory) {}

    // Bytes that start at a multiple of 256, with an undefined content. TooLarge where the device has no memory left.
    Result<View> take(std::uint64_t bytes) {
        const std::uint64_t needed = roomFor(bytes);
        if (!m_current || m_current->bytes() - m_used < needed) {
            WB_TRY_ASSIGN(m_current, m_device->buffer(std::max(needed, chunkBytes), m_memory));
            m_used = 0;
        }
        m_handed += needed;
        View view = m_current->view(m_used, (std::max<std::uint64_t>(bytes, 4) + 3) / 4 * 4);
        m_used += needed;
        return view;
    }

    // The size of a view of this many bytes.
    static constexpr std::uint64_t roomFor(std::uint64_t bytes) { return (std::max<std::uint64_t>(bytes, 1) + 255) / 256 * 256; }

    static constexpr std::uint64_t chunkBytes = 16u << 20;

    std::uint64_t handed() const { return m_handed; } // bytes of all views, as roomFor() counts them

private:
    DevicePtr m_device;
    Memory m_memory;
    BufferPtr m_current;
    std::uint64_t m_used = 0;
    std::uint64_t m_handed = 0;
};

} // namespace wb::gpu
