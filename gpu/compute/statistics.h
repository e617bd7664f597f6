// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"
#include "gpu/compute/compute_device.h"

namespace wb::gpu::compute {

// Statistics on the chosen device, or on the CPU: for types that need more than f32, where there is no device, and after it
// failed, which costs the work on one tensor and is never an Error. TensorStats::deviceNote says why it was the CPU.
//
// An automatic choice leaves tensors below a million elements to the CPU. With larger ones it tries the device and the
// CPU twice each, type by type, and from then on takes the faster one. Thread-safe.
std::unique_ptr<stats::Backend> makeStatistics(const ComputeDevice& device);

} // namespace wb::gpu::compute
