// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/compute/compute_device.h"

namespace wb::test {

// The choice of a device that is open already.
inline gpu::compute::ComputeDevice chosen(gpu::DevicePtr device, DeviceRef choice = {DeviceRef::Kind::Best}) {
    return gpu::compute::ComputeDevice(std::move(choice),
                                       [device = std::move(device)](const DeviceRef&) { return Result<gpu::DevicePtr>(device); });
}

} // namespace wb::test
