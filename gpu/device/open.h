// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"
#include "gpu/device/instance.h"

namespace wb::gpu {

// Which devices are inspected.
enum class DeviceFilter : std::uint8_t { Hardware, All };

// The best usable device, or the one of that number or id. NotFound if none exists, Unsupported where what there is lacks
// something, DeviceLost where it hung before. Devices are shared: opening one that is open gives the same object, unless that one
// was lost. Thread-safe. Nothing is tested: gpu/compute opens devices for computing.
Result<DevicePtr> openBest(DeviceFilter among);
Result<DevicePtr> openAt(unsigned index);
Result<DevicePtr> openId(const std::string& id);

// What openBest opens: the first usable one, in the order of `devices`; where none is usable the first one, so that its error can
// name the missing feature. Null if none exists.
const Instance::Found* bestDevice(std::span<const Instance::Found> devices, DeviceFilter among);

} // namespace wb::gpu
