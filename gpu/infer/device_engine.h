// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/backend.h"
#include "gpu/device/device.h"
#include "gpu/infer/fast_types.h"

namespace wb::gpu {

// An engine with the last layers and the output on the device, as many as the placement says (at least 1, the output), and the
// others on the CPU; single tokens with the fast kernels of those types. checkDeviceRuns() accepts the model. TooLarge, with the
// reason device.memory, where the device's memory is not enough; evaluate() reports later failures of the device.
Result<std::unique_ptr<infer::Engine>> makeDeviceEngine(const DevicePtr& device, const infer::Graph& graph,
                                                        const infer::Placement& placement, FastTypes fast,
                                                        const Progress& progress);

} // namespace wb::gpu
