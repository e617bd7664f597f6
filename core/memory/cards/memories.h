// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/cards/fit.h"

#include <functional>
#include <span>

namespace wb::memory {

// Names the GPUs of this computer; may load their driver, so it is called on a worker thread.
using DeviceLister = std::function<std::vector<Memory>()>;

// The memories of this computer as they are now: RAM first, without a name, then what the lister names, where there is one.
std::vector<Memory> memoriesHere(const DeviceLister& devices = {});

// Of a memory what a model may take now: the rest is in use, or stays free for others.
std::uint64_t usableBytes(const Memory& memory);

// The memory that recommendations are for where none was chosen: RAM or a GPU, with the most usable bytes. `memories` is not empty.
const Memory& roomiest(std::span<const Memory> memories);

} // namespace wb::memory
