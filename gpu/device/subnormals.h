// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"

namespace wb::gpu {

// Whether the device computes with subnormal numbers as the CPU does. It is tried: what the device declares is not enough, as
// software Vulkan declares nothing and keeps them.
Result<bool> keepsSubnormals(const DevicePtr& device);

} // namespace wb::gpu
