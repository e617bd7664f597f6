// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/map/map.h"
#include "gpu/compute/compute_device.h"

namespace wb::gpu::compute {

// Heat maps on the chosen device. The CPU builds what the device cannot (see canBuildMap) and every map after a failure of
// the device, which TensorMap::note then reports. Thread-safe.
std::unique_ptr<stats::MapBackend> makeMaps(const ComputeDevice& device);

} // namespace wb::gpu::compute
