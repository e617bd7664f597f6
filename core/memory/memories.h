// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/fit.h"

#include <functional>

namespace wb::memory {

// Names the GPUs of this computer; may load their driver, so it is called on a worker thread.
using DeviceLister = std::function<std::vector<Memory>()>;

// The memories of this computer as they are now: RAM first, without a name, then what the lister names, where there is one.
std::vector<Memory> memoriesHere(const DeviceLister& devices = {});

} // namespace wb::memory
