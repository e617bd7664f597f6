// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"

namespace wb::gpu {

// Whether fma() of the device's shaders rounds once. It is tried: Vulkan leaves it open, and nothing says which it is.
Result<bool> fusesMultiplyAdd(const DevicePtr& device);

} // namespace wb::gpu
