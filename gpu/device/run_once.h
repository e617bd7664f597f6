// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"

#include <span>

namespace wb::gpu {

// Runs a kernel once for a self-test: bindings 0 … n - 1 hold the inputs, the last one takes `results` words, which are given back.
// The push constants, where there are any, are the number of cases.
Result<std::vector<std::uint32_t>> runOnce(const DevicePtr& device, const KernelCode& code,
                                           std::span<const std::vector<std::uint32_t>> inputs, std::size_t results,
                                           std::uint32_t cases, std::uint32_t groups);

} // namespace wb::gpu
