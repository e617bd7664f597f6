// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/device_ref.h"
#include "core/base/problem.h"
#include "gpu/device/device.h"

namespace wb::gpu::compute {

// Opens the chosen device and runs its self-test: a device that computes incorrectly is an Error. Null for the CPU.
Result<DevicePtr> openTested(const DeviceRef& choice);

// Whether the CPU can do what this error ended: it is about the device, not about the work. (Where it is about the work after
// all, the CPU fails in the same way.)
bool isOfDevice(const Error& error);

// The remark that work fell back to the CPU because of this error; its code is the error's reason, device.failed where it has
// none. A note if no device was requested and none exists, or where the CPU is faster; else a warning.
Problem fallbackRemark(const DeviceRef& choice, const Error& error);

} // namespace wb::gpu::compute
