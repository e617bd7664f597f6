// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/fit.h"
#include "ui/shell/settings/device_entry.h"

#include <QList>

#include <vector>

namespace wb {

// The GPUs that the settings offer. Loads Vulkan.
QList<ui::DeviceEntry> graphicsDevices();

// What real ones have of memory, for the Memory tab. The same.
std::vector<memory::Memory> graphicsMemories();

} // namespace wb
