// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"
#include "gpu/device/device.h"

namespace wb::gpu {

// Statistics on a Vulkan device: the shaders decode the stored blocks themselves and count; the host keeps the rules of core/stats
// and merges in f64. Equal to the CPU's exactly, but for the moments, which agree within 1e-6 of themselves
// (docs/reference/statistics.md, "Tolerances").
//
// A tensor is streamed twice through two slabs of some MiB, and again for channels; one that fits these is read once.
// Unsupported for types whose values do not fit f32, see runsOnGpu(). Very many very short channels are counted by the CPU, and a
// note reports it. Fails with DeviceLost where the device stops.
std::unique_ptr<stats::Backend> makeGpuBackend(DevicePtr device);

// F64, integers of 32 and 64 bits and complex types need more than f32 and stay with the CPU.
bool runsOnGpu(Dtype dtype);

} // namespace wb::gpu
