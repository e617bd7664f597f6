// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/recorder.h"
#include "gpu/stats/workspace.h"

#include <span>
#include <vector>

namespace wb::gpu {

// Counts that kernels keep in 32 bits a word and the host in 64.
class Counters {
public:
    Counters(DevicePtr device, Workspace& space, std::uint64_t words)
        : m_device(std::move(device)), m_space(space), m_totals(words) {}

    View view() const { return m_space.counters->view(0, m_totals.size() * sizeof(std::uint32_t)); }

    // Call before work that adds up to `count` to any word: collects first where a word could overflow.
    Result<void> reserve(std::uint64_t count);

    // Adds what the device has counted to the totals and sets the device's counts to 0.
    Result<void> collect();

    std::span<const std::uint64_t> totals() const { return m_totals; }

private:
    Result<void> clear();

    DevicePtr m_device;
    Workspace& m_space;
    std::vector<std::uint64_t> m_totals;
    std::uint64_t m_reserved = 0;
    bool m_cleared = false;
};

} // namespace wb::gpu
