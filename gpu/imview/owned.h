// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"

#include <utility>

namespace wb::gpu::imview {

// A Vulkan object that is destroyed with this one, which must happen while its device lives and does not use it.
template <typename T>
class Owned {
public:
    using Destroy = void(VKAPI_PTR*)(VkDevice, T, const VkAllocationCallbacks*);

    Owned() = default;
    Owned(VkDevice device, T handle, Destroy destroy) : m_device(device), m_handle(handle), m_destroy(destroy) {}
    Owned(Owned&& other) noexcept { *this = std::move(other); }
    Owned& operator=(Owned&& other) noexcept {
        std::swap(m_device, other.m_device);
        std::swap(m_handle, other.m_handle);
        std::swap(m_destroy, other.m_destroy);
        return *this;
    }
    ~Owned() {
        if (m_destroy) m_destroy(m_device, m_handle, nullptr);
    }

    T get() const { return m_handle; }

private:
    VkDevice m_device = VK_NULL_HANDLE;
    T m_handle = VK_NULL_HANDLE;
    Destroy m_destroy = nullptr;
};

// Calls a vkCreate… or vkAllocate… function; `what` names it in the message.
template <typename T, typename Info>
Result<Owned<T>> make(Device& device, VkResult(VKAPI_PTR* create)(VkDevice, const Info*, const VkAllocationCallbacks*, T*),
                      void(VKAPI_PTR* destroy)(VkDevice, T, const VkAllocationCallbacks*), const Info& info, const char* what) {
    T handle = VK_NULL_HANDLE;
    WB_TRY(device.check(create(device.handle(), &info, nullptr, &handle), what));
    return Owned<T>(device.handle(), handle, destroy);
}

} // namespace wb::gpu::imview
