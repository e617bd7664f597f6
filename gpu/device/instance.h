// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device_info.h"
#include "gpu/device/vulkan.h"

#include <span>

namespace wb::gpu {

// The loaded Vulkan with the devices that there were when it was loaded. One instance lives as long as the process: NVIDIA's driver
// refuses the 24th that a process creates.
class Instance {
public:
    // Created at the first call; an Error is tried again at the next one. Thread-safe.
    static Result<const Instance*> get();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    struct Found {
        VkPhysicalDevice handle;
        DeviceInfo info;
    };
    std::span<const Found> devices() const { return m_devices; }

private:
    Instance() = default;
    ~Instance(); // of one that could not be made
    Result<void> create();
    void listen();
    Result<void> findDevices();

    VkInstance m_instance = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT m_messenger = VK_NULL_HANDLE;
    std::vector<Found> m_devices;
};

const Setup& currentSetup();

} // namespace wb::gpu
