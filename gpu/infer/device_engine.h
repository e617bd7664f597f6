// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/backend.h"
#include "gpu/device/device.h"

namespace wb::gpu {

// An engine of which the last `gpuLayers` layers lie on the device (counted as in EngineOptions, at least 1), with their caches and
// the output; the others on the processor. The model is one that checkDeviceRuns() accepts. TooLarge, with the reason
// device.memory, where the device's memory is not enough; whatever the device does wrong later is an error of evaluate().
Result<std::unique_ptr<infer::Engine>> makeDeviceEngine(const DevicePtr& device, const infer::Graph& graph,
                                                        const infer::EngineOptions& options, std::uint64_t gpuLayers,
                                                        const Progress& progress);

} // namespace wb::gpu
