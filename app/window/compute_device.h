// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/stats/choosing_backend.h"
#include "ui/shell/device_entry.h"

namespace wb {

// What the setting of the device means for statistics. Nothing of Vulkan is loaded before the first tensor that may go to a device.
gpu::StatsChoice statsChoice(const QString& device);

// For the settings dialog.
QList<ui::DeviceEntry> graphicsDevices();

} // namespace wb
