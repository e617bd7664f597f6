// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"

namespace wb::gpu {

// Whether fma() of the device's shaders rounds once. It is tried: Vulkan does not specify it.
Result<bool> fusesMultiplyAdd(const DevicePtr& device);

} // namespace wb::gpu
