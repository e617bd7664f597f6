// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device_info.h"
#include "gpu/device/vulkan.h"

namespace wb::gpu {

// Asks the driver for everything DeviceInfo holds, except the index.
DeviceInfo describe(VkPhysicalDevice device);

// Bytes of the largest own heap that are free now: VK_EXT_memory_budget, which is DXGI's budget on Windows and
// recommendedMaxWorkingSetSize on macOS, else what the system says (core/io). Empty if unknown.
std::optional<std::uint64_t> freeMemory(VkPhysicalDevice device);

// The queue family that the program uses: computes, and draws where there is one that does both.
struct Family {
    std::uint32_t index = 0;
    bool found = false;
    bool graphics = false;
};
Family chooseFamily(VkPhysicalDevice device);

bool hasDeviceExtension(VkPhysicalDevice device, const char* name);

// Whether timeline semaphores come with the core of Vulkan 1.2 (else as an extension).
bool isVulkan12(VkPhysicalDevice device);

} // namespace wb::gpu
