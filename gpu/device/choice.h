// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"
#include "gpu/device/instance.h"

namespace wb::gpu {

// The first usable one of the wished kind, in the order of `devices`; where none is usable the first of that kind, so that it can be said
// what it lacks. Null where there is none of that kind.
const Instance::Found* bestOf(std::span<const Instance::Found> devices, Accept accept);

} // namespace wb::gpu
