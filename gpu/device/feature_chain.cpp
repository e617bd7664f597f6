// SPDX-License-Identifier: MIT
#include "gpu/device/feature_chain.h"

#include "gpu/device/describe.h"

#include <algorithm>
#include <iterator>

namespace wb::gpu {
namespace {

void ask(VkPhysicalDevice device, void* chain) {
    VkPhysicalDeviceFeatures2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, chain, {}};
    vkGetPhysicalDeviceFeatures2(device, &all);
}

bool offersDot(VkPhysicalDevice device) {
    if (!hasDeviceExtension(device, VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME)) return false;
    VkPhysicalDeviceShaderIntegerDotProductFeatures dot{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES};
    ask(device, &dot);
    return dot.shaderIntegerDotProduct != 0;
}

#ifdef VK_KHR_cooperative_matrix
bool offersMatrix(VkPhysicalDevice device) {
    if (!isVulkan12(device) || !hasDeviceExtension(device, VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME)) return false;
    VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrix{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR};
    VkPhysicalDeviceVulkanMemoryModelFeatures memory{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES, &matrix};
    VkPhysicalDeviceShaderFloat16Int8Features half{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES, &memory};
    VkPhysicalDevice16BitStorageFeatures storage{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES, &half};
    ask(device, &storage);
    return matrix.cooperativeMatrix != 0 && memory.vulkanMemoryModel != 0 && half.shaderFloat16 != 0 &&
           storage.storageBuffer16BitAccess != 0;
}
#else
bool offersMatrix(VkPhysicalDevice) { return false; }
#endif

bool offers(VkPhysicalDevice device, Feature feature) {
    switch (feature) {
    case Feature::IntegerDot: return offersDot(device);
    case Feature::CooperativeMatrix: return offersMatrix(device);
    }
    return false;
}

} // namespace

const char* featureName(Feature feature) { return feature == Feature::IntegerDot ? "integer dot product" : "cooperative matrix"; }

std::vector<Feature> deviceFeatures(VkPhysicalDevice device) {
    std::vector<Feature> features;
    std::ranges::copy_if(allFeatures, std::back_inserter(features),
                         [&](Feature one) { return isBuilt(one) && offers(device, one); });
    return features;
}

FeatureChain::FeatureChain(std::span<const Feature> features) {
    const auto wanted = [features](Feature feature) { return std::ranges::find(features, feature) != features.end(); };
    if (wanted(Feature::IntegerDot)) {
        m_dot.shaderIntegerDotProduct = VK_TRUE;
        link(m_dot);
        m_extensions.push_back(VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME);
    }
#ifdef VK_KHR_cooperative_matrix
    if (wanted(Feature::CooperativeMatrix)) {
        m_matrix.cooperativeMatrix = VK_TRUE;
        m_memoryModel.vulkanMemoryModel = VK_TRUE;
        m_float16.shaderFloat16 = VK_TRUE;
        m_storage.storageBuffer16BitAccess = VK_TRUE;
        link(m_matrix), link(m_memoryModel), link(m_float16), link(m_storage);
        m_extensions.push_back(VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME);
    }
#endif
}

} // namespace wb::gpu
