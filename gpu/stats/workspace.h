// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/host_upload.h"

#include <array>

namespace wb::gpu {

// The memory of one computation, used again for the next one: two slots for slabs in flight, and counters.
struct Workspace {
    struct Slot {
        HostUpload stored; // bytes, filled by the host
        BufferPtr values;  // f32 bits
        BufferPtr tiles;   // the counts and sums of the first pass, laid out as gpu/shaders/stats_tile.h says
        BufferPtr tileReadback;
    };

    static Result<std::unique_ptr<Workspace>> make(const DevicePtr& device);

    std::array<Slot, 2> slots;
    BufferPtr tables; // of the decoders
    BufferPtr counters;
    BufferPtr counterReadback;
    BufferPtr lowestUpload; // smallest sort keys of the bins
    BufferPtr lowest;
};

// How much of a tensor a slot holds at most. Small on software devices, which are slow and share the memory anyway, so that a stop
// is noticed soon.
struct SlabLimits {
    std::uint64_t elements;
    std::uint64_t bytes;
};
SlabLimits slabLimits(const DeviceInfo& device);

// Holds the radix tables of the first pass, and the outliers, maxBins bins and all digits of the second one.
inline constexpr std::uint64_t counterWords = 1 + 65'536 + 9 * 65'536;
inline constexpr std::uint64_t maxBins = 65'536;

} // namespace wb::gpu
