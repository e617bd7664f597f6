// SPDX-License-Identifier: MIT
#include "gpu/device/describe.h"

#include "core/io/system/graphics_memory.h"
#include "gpu/device/feature_chain.h"
#include "gpu/device/float_controls.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace wb::gpu {
namespace {

std::vector<VkExtensionProperties> deviceExtensions(VkPhysicalDevice device) {
    std::uint32_t count = 0;
    vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> extensions(count);
    vkEnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data());
    return extensions;
}

DeviceKind typeKind(VkPhysicalDeviceType type) {
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return DeviceKind::Discrete;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return DeviceKind::Integrated;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return DeviceKind::Virtual;
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return DeviceKind::Software;
    default: return DeviceKind::Other;
    }
}

std::string bytesHex(std::span<const std::uint8_t> bytes) {
    std::string text;
    for (const std::uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
    return text;
}

struct Heap {
    std::uint32_t index = 0;
    std::uint64_t bytes = 0; // 0: none exists
};

Heap ownHeap(const VkPhysicalDeviceMemoryProperties& properties) {
    Heap largest;
    for (std::uint32_t heap = 0; heap < properties.memoryHeapCount; ++heap) {
        const bool own = (properties.memoryHeaps[heap].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
        if (own && properties.memoryHeaps[heap].size > largest.bytes) largest = {heap, properties.memoryHeaps[heap].size};
    }
    return largest;
}

std::uint64_t ownMemory(VkPhysicalDevice device) {
    VkPhysicalDeviceMemoryProperties properties;
    vkGetPhysicalDeviceMemoryProperties(device, &properties);
    return ownHeap(properties).bytes;
}

// Name and version of the driver, in its own words where it has any.
std::string deviceDriver(VkPhysicalDevice device, const VkPhysicalDeviceProperties& properties) {
    if (hasDeviceExtension(device, VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME) || isVulkan12(device)) {
        VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
        VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &driver, {}};
        vkGetPhysicalDeviceProperties2(device, &all);
        if (driver.driverName[0] != 0) return fmt::format("{} {}", driver.driverName, driver.driverInfo);
    }
    return fmt::format("{:#x}", properties.driverVersion);
}

struct Narrow { // types of 8 and 16 bits
    bool arithmetic = false, storage = false;
};

// Optional everywhere, also where the version or the extension is there.
Narrow deviceNarrow(VkPhysicalDevice device) {
    VkPhysicalDeviceShaderFloat16Int8Features arithmetic{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES};
    VkPhysicalDevice8BitStorageFeatures storage{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES};
    VkPhysicalDeviceFeatures2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, nullptr, {}};
    const auto link = [&](const char* extension, auto& features) {
        if (!isVulkan12(device) && !hasDeviceExtension(device, extension)) return;
        features.pNext = std::exchange(all.pNext, &features);
    };
    link(VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME, arithmetic);
    link(VK_KHR_8BIT_STORAGE_EXTENSION_NAME, storage);
    vkGetPhysicalDeviceFeatures2(device, &all);
    return {arithmetic.shaderFloat16 != 0 && arithmetic.shaderInt8 != 0, storage.storageBuffer8BitAccess != 0};
}

// Names of the features by which faster paths and messages distinguish devices apart by.
std::vector<std::string> featureNames(VkPhysicalDevice device, const VkPhysicalDeviceSubgroupProperties& subgroup) {
    VkPhysicalDeviceFeatures basic;
    vkGetPhysicalDeviceFeatures(device, &basic);
    std::vector<std::string> names;
    const auto add = [&names](bool there, const char* name) {
        if (there) names.emplace_back(name);
    };
    const auto extension = [&](const char* name) { return hasDeviceExtension(device, name); };
    add(isVulkan12(device) || extension(VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME), "timeline semaphores");
    add((subgroup.supportedOperations & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT) != 0, "subgroup arithmetic");
    add((subgroup.supportedOperations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT) != 0, "subgroup shuffle");
    const Narrow narrow = deviceNarrow(device);
    add(narrow.arithmetic, "fp16 and int8");
    add(narrow.storage, "8-bit storage");
    add(deviceFloatControls(device).subnormals, "subnormals");
    add(basic.shaderInt64 != 0, "int64");
    add(basic.shaderFloat64 != 0, "fp64");
    for (const Feature feature : deviceFeatures(device)) add(true, featureName(feature));
    return names;
}

std::string lacking(VkPhysicalDevice device, const DeviceInfo& info, const VkPhysicalDeviceProperties& properties) {
    if (properties.apiVersion < VK_API_VERSION_1_1) return "Vulkan 1.1";
    if (!chooseFamily(device).found) return "a compute queue";
    if (!isVulkan12(device) && !hasDeviceExtension(device, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME)) return "timeline semaphores";
    if (info.sharedMemory < 32u << 10) return "32 KiB of shared memory";
    if (info.storageBuffers < 10) return "10 storage buffers"; // routers of experts (gpu/infer)
    return {};
}

} // namespace

std::optional<std::uint64_t> freeMemory(VkPhysicalDevice device) {
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, nullptr, {}};
    const bool isTold = hasDeviceExtension(device, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    if (isTold) all.pNext = &budget;
    vkGetPhysicalDeviceMemoryProperties2(device, &all);
    const Heap heap = ownHeap(all.memoryProperties);
    if (!isTold) return io::freeGraphicsMemory(heap.bytes);
    const std::uint64_t most = std::min<std::uint64_t>(budget.heapBudget[heap.index], heap.bytes),
                        used = budget.heapUsage[heap.index];
    return most - std::min(most, used);
}

bool hasDeviceExtension(VkPhysicalDevice device, const char* name) {
    return std::ranges::any_of(deviceExtensions(device),
                               [&](const auto& one) { return std::strcmp(one.extensionName, name) == 0; });
}

bool isVulkan12(VkPhysicalDevice device) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(device, &properties);
    return properties.apiVersion >= VK_API_VERSION_1_2 && volkGetInstanceVersion() >= VK_API_VERSION_1_2;
}

Family chooseFamily(VkPhysicalDevice device) {
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
    Family chosen;
    for (std::uint32_t index = 0; index < count; ++index) {
        const VkQueueFlags flags = families[index].queueFlags;
        const bool graphics = (flags & VK_QUEUE_GRAPHICS_BIT) != 0;
        if ((flags & VK_QUEUE_COMPUTE_BIT) == 0 || (chosen.found && (chosen.graphics || !graphics))) continue;
        chosen = {index, true, graphics};
    }
    return chosen;
}

DeviceInfo describe(VkPhysicalDevice device) {
    VkPhysicalDeviceSubgroupProperties subgroup{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceIDProperties ids{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES, &subgroup, {}, {}, {}, 0, VK_FALSE};
    VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &ids, {}};
    vkGetPhysicalDeviceProperties2(device, &all);
    const VkPhysicalDeviceProperties& properties = all.properties;

    DeviceInfo info;
    info.id = bytesHex(ids.deviceUUID);
    info.name = properties.deviceName;
    info.driver = deviceDriver(device, properties);
    info.kind = typeKind(properties.deviceType);
    info.memory = ownMemory(device);
    info.graphics = chooseFamily(device).graphics;
    info.features = featureNames(device, subgroup);
    info.faster = deviceFeatures(device);
    info.subgroup = subgroup.subgroupSize;
    info.subgroupSums = (subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 &&
                        (subgroup.supportedOperations & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT) != 0;
    info.sharedMemory = properties.limits.maxComputeSharedMemorySize;
    info.storageBuffers = properties.limits.maxPerStageDescriptorStorageBuffers;
    info.viewBytes = std::min<std::uint64_t>(properties.limits.maxStorageBufferRange, maxViewBytes);
    info.lacks = lacking(device, info, properties);
    info.usable = info.lacks.empty();
    return info;
}

} // namespace wb::gpu
