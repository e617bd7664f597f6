// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"

#include <array>

namespace wb::gpu {

// The memory of one computation, used again for the next one: two slots for slabs in flight, and counters.
struct Workspace {
    struct Slot {
        BufferPtr upload; // stored bytes, filled by the host
        BufferPtr stored; // the same on the device
        BufferPtr values; // f32 bits
        BufferPtr tiles;  // what the first look found, see gpu/shaders/stats_tile.h
        BufferPtr found;  // the same for the host
    };

    static Result<std::unique_ptr<Workspace>> make(const DevicePtr& device);

    std::array<Slot, 2> slots;
    BufferPtr tables; // of the decoders
    BufferPtr counters;
    BufferPtr counted;      // the same for the host
    BufferPtr lowestUpload; // least images of the bins
    BufferPtr lowest;
};

// How much of a tensor a slot holds at most. Small on software devices, which are slow and share the memory anyway, so that a stop is
// noticed soon.
struct SlabLimits {
    std::uint64_t elements;
    std::uint64_t bytes;
};
SlabLimits slabLimits(const DeviceInfo& device);

// The radix tables of the first look fit; so do the outliers, most bins and all digits of the second one.
inline constexpr std::uint64_t counterWords = 1 + 65'536 + 9 * 65'536;
inline constexpr std::uint64_t maxBins = 65'536;

} // namespace wb::gpu
