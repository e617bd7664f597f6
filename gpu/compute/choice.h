// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/device_ref.h"
#include "core/base/problem.h"
#include "gpu/device/device.h"

namespace wb::gpu::compute {

// Opens the chosen device and runs its self-test: a device that computes wrongly is an Error. Null for the processor.
Result<DevicePtr> openTested(const DeviceRef& choice);

// Whether the processor can do what this error ended: it is about the device, not about the work. (Where it is about the work after
// all, the processor fails in the same way.)
bool isOfDevice(const Error& error);

// The remark that work fell back to the processor because of this error; its code is the error's reason, device.failed where it has
// none. A note where nobody asked for a device and there is none, or where the processor is faster; else a warning.
Problem fallbackRemark(const DeviceRef& choice, const Error& error);

} // namespace wb::gpu::compute
