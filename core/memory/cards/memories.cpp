// SPDX-License-Identifier: MIT
#include "core/memory/cards/memories.h"

#include "core/io/system/main_memory.h"

#include <algorithm>

namespace wb::memory {

std::vector<Memory> memoriesHere(const DeviceLister& devices) {
    const io::MainMemory main = io::mainMemory();
    std::vector<Memory> memories = {
        {.name = {}, .side = Side::Processor, .bytes = main.bytes, .free = main.free, .margin = usualMargin}};
    if (devices)
        for (Memory& device : devices()) memories.push_back(std::move(device));
    return memories;
}

std::uint64_t usableBytes(const Memory& memory) { return memory.available() - std::min(memory.available(), memory.margin); }

const Memory& roomiest(std::span<const Memory> memories) { return *std::ranges::max_element(memories, {}, usableBytes); }

} // namespace wb::memory
