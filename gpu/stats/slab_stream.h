// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/slabs.h"
#include "gpu/device/recorder.h"
#include "gpu/stats/workspace.h"

#include <functional>
#include <optional>

namespace wb::gpu {

// A slab whose values are, or will lie, on the device.
struct DecodedSlab {
    std::uint64_t first = 0; // element, a multiple of the tile
    std::uint64_t count = 0;
    const Workspace::Slot* slot = nullptr;

    View values() const { return slot->values->view(0, count * sizeof(std::uint32_t)); }
    std::uint64_t tiles() const { return (count + stats::tileElements - 1) / stats::tileElements; }
};

// Streams a tensor through the two slots of a workspace: while the device works on one slab, threads of the host read the next one,
// straight into the device's memory where it lets them.
class SlabStream {
public:
    SlabStream(DevicePtr device, stats::SlabTask& task, Workspace& space);

    // Calls `record` for every slab in ascending order, to add its work after the decoding, and `finish` when the device is done
    // with it. A slab that still is in its slot from the last run is neither read nor decoded again.
    using Record = std::function<Result<void>(Recorder&, const DecodedSlab&)>;
    using Finish = std::function<void(const DecodedSlab&)>;
    Result<void> run(const Record& record, const Finish& finish);

    std::uint64_t slabElements() const { return m_slabElements; }

private:
    struct Place {
        std::optional<std::uint64_t> holds; // index of a slab
        DecodedSlab slab;
        std::optional<Ticket> busy;
    };

    std::uint64_t slabs() const;
    Result<void> start(std::uint64_t index, Place& place, const Record& record);
    Result<void> retire(Place& place, const Finish& finish);
    Result<void> read(const Place& place);
    void decode(Recorder& recorder, const Place& place);

    DevicePtr m_device;
    stats::SlabTask& m_task;
    Workspace& m_space;
    std::uint64_t m_slabElements;
    KernelPtr m_decoder;
    std::array<Place, 2> m_places;
};

} // namespace wb::gpu
