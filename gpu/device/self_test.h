// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"

namespace wb::gpu {

// Runs known numbers through the basic operations every shader uses (rounding of sum, product and product plus sum, our own
// division and root, wide multiplication, shared memory) and compares bit for bit with the CPU. Some milliseconds.
Result<void> runSelfTest(const DevicePtr& device);

} // namespace wb::gpu
