// SPDX-License-Identifier: MIT
#include "core/memory/memories.h"

#include "core/io/main_memory.h"

namespace wb::memory {

std::vector<Memory> memoriesHere(const DeviceLister& devices) {
    const io::MainMemory main = io::mainMemory();
    std::vector<Memory> memories = {
        {.name = {}, .side = Side::Processor, .bytes = main.bytes, .free = main.free, .margin = usualMargin}};
    if (devices)
        for (Memory& device : devices()) memories.push_back(std::move(device));
    return memories;
}

} // namespace wb::memory
