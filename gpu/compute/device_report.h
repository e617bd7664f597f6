// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"
#include "gpu/compute/measurement.h"

namespace wb::gpu::compute {

// What `wb devices` tells of a GPU.
struct DeviceReport {
    DeviceInfo info;
    std::optional<Result<void>> selfTest; // empty: not run, as the device lacks something
    std::vector<Feature> wrongFeatures;   // that compute incorrectly and are not used
    // Of all forms of the fast kernels of inference, as measured or tried now; empty: the device is software and was not measured,
    // or cannot run them.
    std::vector<FastVerdict> fast;
    std::optional<Measurement> measured;

    // Whether a model uses this form if the user does not choose.
    bool isUsed(const FastVerdict& verdict) const;
};

// Opens and tests every device. NotFound where there is no Vulkan.
Result<std::vector<DeviceReport>> reportDevices();

// Measures the chosen device and keeps the result, which later reports have. NotFound where the choice leaves no device.
Result<Measurement> measureChosen(const DeviceRef& choice, unsigned threads, const Progress& progress);

} // namespace wb::gpu::compute
