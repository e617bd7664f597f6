// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/map/map.h"
#include "gpu/device/device.h"

#include <functional>

namespace wb::gpu {

// Overview maps on a Vulkan device; equal to the CPU's but for mean and rms, which agree within 1e-6 of the cell's rms. `open` is
// called for every map and gives the device of the moment, null for the CPU; it is called from any thread.
//
// The CPU builds what the device cannot: differences of two tensors, types that need more than f32, rows that are cut through blocks
// or are wider than a band, and everything after a failure, which TensorMap::note then tells. Thread-safe.
std::unique_ptr<stats::MapBackend> makeMapBackend(std::function<Result<DevicePtr>()> open);

} // namespace wb::gpu
