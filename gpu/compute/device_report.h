// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"

namespace wb::gpu::compute {

// What `wb devices` tells of a GPU.
struct DeviceReport {
    DeviceInfo info;
    std::optional<Result<void>> selfTest; // empty: not run, as the device lacks something
    std::vector<Feature> wrongFeatures;   // that compute incorrectly and are not used
};

// Opens and tests every device. NotFound where there is no Vulkan.
Result<std::vector<DeviceReport>> reportDevices();

} // namespace wb::gpu::compute
