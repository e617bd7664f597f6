// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/feature.h"
#include "gpu/device/vulkan.h"

#include <span>
#include <vector>

namespace wb::gpu {

// The features that both the driver and this build have.
std::vector<Feature> deviceFeatures(VkPhysicalDevice device);

// What vkCreateDevice is reported to switch features on. Points into itself: stays where it was made.
class FeatureChain {
public:
    explicit FeatureChain(std::span<const Feature> features);
    FeatureChain(const FeatureChain&) = delete;
    FeatureChain& operator=(const FeatureChain&) = delete;

    void* head() { return m_head; } // for pNext; null if none exists
    std::span<const char* const> extensions() const { return m_extensions; }

private:
    template <typename Structure>
    void link(Structure& structure) {
        structure.pNext = m_head;
        m_head = &structure;
    }

    void* m_head = nullptr;
    std::vector<const char*> m_extensions;
    VkPhysicalDeviceShaderIntegerDotProductFeatures m_dot{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES};
#ifdef VK_KHR_cooperative_matrix // headers since 1.3.255
    VkPhysicalDeviceCooperativeMatrixFeaturesKHR m_matrix{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR};
    VkPhysicalDeviceVulkanMemoryModelFeatures m_memoryModel{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES};
    VkPhysicalDeviceShaderFloat16Int8Features m_float16{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES};
    VkPhysicalDevice16BitStorageFeatures m_storage{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES};
#endif
};

} // namespace wb::gpu
