// SPDX-License-Identifier: MIT
#include "gpu/stats/workspace.h"

#include "gpu/decode/tables.h"
#include "gpu/device/upload.h"
#include "gpu/shaders/stats_tile.h"

namespace wb::gpu {
namespace {

constexpr std::uint64_t word = sizeof(std::uint32_t);

Result<void> makeSlot(Device& device, const SlabLimits& limits, Workspace::Slot& slot) {
    WB_TRY_ASSIGN(slot.stored, HostUpload::make(device, limits.bytes));
    WB_TRY_ASSIGN(slot.values, device.buffer(limits.elements * word, Memory::Device));
    const std::uint64_t tiles = limits.elements / WB_TILE_ELEMENTS * WB_TILE_WORDS * word;
    WB_TRY_ASSIGN(slot.tiles, device.buffer(tiles, Memory::Device));
    WB_TRY_ASSIGN(slot.tileReadback, device.buffer(tiles, Memory::Readback));
    return {};
}

} // namespace

SlabLimits slabLimits(const DeviceInfo& device) {
    if (device.software()) return {512u << 10, 2u << 20};
    return {4u << 20, 16u << 20};
}

Result<std::unique_ptr<Workspace>> Workspace::make(const DevicePtr& device) {
    auto space = std::make_unique<Workspace>();
    for (Slot& slot : space->slots) WB_TRY(makeSlot(*device, slabLimits(device->info()), slot));
    WB_TRY_ASSIGN(space->tables, uploadWords(device, decodeTables()));
    WB_TRY_ASSIGN(space->counters, device->buffer(counterWords * word, Memory::Device));
    WB_TRY_ASSIGN(space->counterReadback, device->buffer(counterWords * word, Memory::Readback));
    WB_TRY_ASSIGN(space->lowestUpload, device->buffer(maxBins * word, Memory::Upload));
    WB_TRY_ASSIGN(space->lowest, device->buffer(maxBins * word, Memory::Device));
    return space;
}

} // namespace wb::gpu
