// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"
#include "gpu/compute/compute_device.h"

namespace wb::gpu::compute {

// Statistics on the chosen device, or on the processor: for types that need more than f32, where there is no device, and after it
// failed, which costs the work on one tensor and is never an Error. TensorStats::deviceNote says why it was the processor.
//
// An automatic choice leaves tensors below a million elements to the processor. With larger ones it tries the device and the
// processor twice each, type by type, and from then on takes the faster one. Thread-safe.
std::unique_ptr<stats::Backend> makeStatistics(const ComputeDevice& device);

} // namespace wb::gpu::compute
