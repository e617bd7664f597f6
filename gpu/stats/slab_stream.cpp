// SPDX-License-Identifier: MIT
#include "gpu/stats/slab_stream.h"

#include "gpu/decode/read_slab.h"
#include "gpu/shaders/stats_decode.spv.h"

namespace wb::gpu {
namespace {

constexpr std::uint64_t decodeGroup = 128; // invocations, one an element

std::uint64_t roundUp(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

// A multiple of the tile, hence of every block.
std::uint64_t elementsOfSlab(const SlabLimits& limits, Dtype dtype) {
    const DtypeInfo& type = info(dtype);
    const std::uint64_t fitting = limits.bytes / type.blockBytes * type.blockElements;
    return std::min(limits.elements, fitting) / stats::tileElements * stats::tileElements;
}

} // namespace

SlabStream::SlabStream(DevicePtr device, stats::SlabTask& task, Workspace& space)
    : m_device(std::move(device)), m_task(task), m_space(space),
      m_slabElements(elementsOfSlab(slabLimits(m_device->info()), task.dtype())) {
    for (std::size_t i = 0; i < m_places.size(); ++i) m_places[i].slab.slot = &space.slots[i];
}

std::uint64_t SlabStream::slabs() const { return (m_task.elements() + m_slabElements - 1) / m_slabElements; }

Result<void> SlabStream::run(const Record& record, const Finish& finish) {
    const KernelCode code{
        "stats_decode", shaders::stats_decode, 3, sizeof(std::uint32_t), {static_cast<std::uint32_t>(m_task.dtype())}};
    WB_TRY_ASSIGN(m_decoder, m_device->kernel(code));
    for (std::uint64_t index = 0; index < slabs(); ++index) {
        Place& place = m_places[index % m_places.size()];
        WB_TRY(retire(place, finish));
        WB_TRY(start(index, place, record));
    }
    for (std::uint64_t i = 0; i < m_places.size(); ++i) WB_TRY(retire(m_places[(slabs() + i) % m_places.size()], finish));
    return {};
}

Result<void> SlabStream::start(std::uint64_t index, Place& place, const Record& record) {
    const bool fresh = place.holds != index;
    place.slab.first = index * m_slabElements;
    place.slab.count = std::min(m_slabElements, m_task.elements() - place.slab.first);
    place.holds = index;
    Recorder recorder(m_device);
    if (fresh) {
        WB_TRY(read(place));
        decode(recorder, place);
    }
    WB_TRY(record(recorder, place.slab));
    WB_TRY_ASSIGN(place.busy, m_device->submit(std::move(recorder)));
    return {};
}

Result<void> SlabStream::retire(Place& place, const Finish& finish) {
    if (!place.busy) return {};
    WB_TRY(place.busy->wait());
    place.busy.reset();
    finish(place.slab);
    return m_task.advance(m_task.reader().byteCount(place.slab.count));
}

Result<void> SlabStream::read(const Place& place) {
    const std::uint64_t bytes = m_task.reader().byteCount(place.slab.count);
    return readSlab(m_task.reader(), place.slab.first, place.slab.count, place.slab.slot->stored.map().first(bytes), m_task.stop());
}

void SlabStream::decode(Recorder& recorder, const Place& place) {
    const Workspace::Slot& slot = *place.slab.slot;
    const std::uint64_t bytes = roundUp(m_task.reader().byteCount(place.slab.count), sizeof(std::uint32_t));
    const View stored = slot.stored.enter(recorder, bytes);
    recorder.dispatch(m_decoder, {reads(stored), reads(m_space.tables->view()), writes(place.slab.values())},
                      static_cast<std::uint32_t>(place.slab.count), {groupsFor(place.slab.count, decodeGroup)});
}

} // namespace wb::gpu
