// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"
#include "gpu/infer/fast_test.h"

namespace wb::gpu::compute {

// What `wb devices` tells of a GPU.
struct DeviceReport {
    DeviceInfo info;
    std::optional<Result<void>> selfTest; // empty: not run, as the device lacks something
    std::vector<Feature> wrongFeatures;   // that compute incorrectly and are not used
    std::vector<FastVerdict> fast;        // of the fast kernels of inference; empty: the device is software or cannot run them

    // Whether a model uses such a kernel if the user does not choose.
    bool isUsed(const FastVerdict& verdict) const;
};

// Opens and tests every device. NotFound where there is no Vulkan.
Result<std::vector<DeviceReport>> reportDevices();

} // namespace wb::gpu::compute
