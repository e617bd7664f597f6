// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device_info.h"
#include "gpu/device/vulkan.h"

#include <memory>
#include <span>

namespace wb::gpu {

// The loaded Vulkan, shared by everyone who holds it and unloaded with the last.
class Instance {
public:
    static Result<std::shared_ptr<Instance>> get();
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    struct Found {
        VkPhysicalDevice handle;
        DeviceInfo info;
    };
    std::span<const Found> devices() const { return m_devices; }

private:
    Instance() = default;
    Result<void> create();
    void listen();
    Result<void> findDevices();

    VkInstance m_instance = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT m_messenger = VK_NULL_HANDLE;
    std::vector<Found> m_devices;
};

const Setup& currentSetup();

} // namespace wb::gpu
