// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/settings/device_entry.h"

#include <QList>

namespace wb {

// The graphics devices that the settings offer. Loads Vulkan.
QList<ui::DeviceEntry> graphicsDevices();

} // namespace wb
