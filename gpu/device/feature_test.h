// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"

namespace wb::gpu {

// Whether a device computes known numbers with one of its features as the CPU does. Some milliseconds.
bool computesRightly(const DevicePtr& device, Feature feature);

} // namespace wb::gpu
