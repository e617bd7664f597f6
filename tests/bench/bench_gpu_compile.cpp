// SPDX-License-Identifier: MIT
#include "core/quant/quantize.h"
#include "gpu/device/vulkan.h"
#include "gpu/quant/kernels.h"

#include <fmt/format.h>
#include <volk.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

// What a driver's compiler says of each quantizing shader (VK_KHR_pipeline_executable_properties): registers, shared memory, how
// many subgroups run side by side, and the estimates that it schedules by. The first device counts, and it need not be there:
// Mesa's RADV compiles for any AMD chip that RADV_FORCE_FAMILY names, with VK_DRIVER_FILES set to its radeon_icd file.
namespace {

using namespace wb;

constexpr std::uint32_t buffers = 6, pushBytes = 8;

struct Compiler {
    VkDevice device = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
};

VkPhysicalDevice firstDevice() {
    if (volkInitialize() != VK_SUCCESS) return VK_NULL_HANDLE;
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = VK_API_VERSION_1_1;
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pApplicationInfo = &application;
    VkInstance instance = VK_NULL_HANDLE;
    if (vkCreateInstance(&info, nullptr, &instance) != VK_SUCCESS) return VK_NULL_HANDLE;
    volkLoadInstance(instance);
    VkPhysicalDevice device = VK_NULL_HANDLE;
    std::uint32_t count = 1;
    vkEnumeratePhysicalDevices(instance, &count, &device);
    return device;
}

VkDevice openWithStatistics(VkPhysicalDevice physical) {
    const float priority = 1;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    const char* const extension = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR feature{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
    feature.pipelineExecutableInfo = VK_TRUE;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = &feature;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension;
    VkDevice device = VK_NULL_HANDLE;
    if (vkCreateDevice(physical, &info, nullptr, &device) != VK_SUCCESS) return VK_NULL_HANDLE;
    volkLoadDevice(device);
    return device;
}

VkPipelineLayout deviceLayout(VkDevice device) {
    std::array<VkDescriptorSetLayoutBinding, buffers> bindings{};
    for (std::uint32_t i = 0; i < buffers; ++i)
        bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
    VkDescriptorSetLayoutCreateInfo set{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    set.bindingCount = buffers;
    set.pBindings = bindings.data();
    VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
    vkCreateDescriptorSetLayout(device, &set, nullptr, &setLayout);
    const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, pushBytes};
    VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    info.setLayoutCount = 1;
    info.pSetLayouts = &setLayout;
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &push;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    vkCreatePipelineLayout(device, &info, nullptr, &layout);
    return layout;
}

VkPipeline compile(const Compiler& compiler, const gpu::QuantKernel& kernel, std::uint32_t weighted) {
    VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    code.codeSize = kernel.words.size_bytes();
    code.pCode = kernel.words.data();
    VkShaderModule module = VK_NULL_HANDLE;
    vkCreateShaderModule(compiler.device, &code, nullptr, &module);
    const VkSpecializationMapEntry entry{0, 0, sizeof weighted};
    const VkSpecializationInfo constants{1, &entry, sizeof weighted, &weighted};
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
    info.stage = {
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, VK_SHADER_STAGE_COMPUTE_BIT, module, "main", &constants};
    info.layout = compiler.layout;
    VkPipeline pipeline = VK_NULL_HANDLE;
    vkCreateComputePipelines(compiler.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    return pipeline;
}

std::string statisticNumber(const VkPipelineExecutableStatisticKHR& statistic) {
    switch (statistic.format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR: return statistic.value.b32 != 0 ? "yes" : "no";
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR: return fmt::format("{}", statistic.value.i64);
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR: return fmt::format("{:g}", statistic.value.f64);
    default: return fmt::format("{}", statistic.value.u64);
    }
}

void print(const Compiler& compiler, const gpu::QuantKernel& kernel, bool weighted) {
    VkPipelineExecutableInfoKHR which{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR};
    which.pipeline = compile(compiler, kernel, weighted ? 1 : 0);
    fmt::print("{}/{}", name(kernel.dtype), weighted ? "weighted" : "plain");
    std::uint32_t count = 0;
    if (which.pipeline != VK_NULL_HANDLE) vkGetPipelineExecutableStatisticsKHR(compiler.device, &which, &count, nullptr);
    std::vector<VkPipelineExecutableStatisticKHR> statistics(count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR});
    if (count > 0) vkGetPipelineExecutableStatisticsKHR(compiler.device, &which, &count, statistics.data());
    for (const auto& statistic : statistics) fmt::print("; {} {}", statistic.name, statisticNumber(statistic));
    fmt::print("\n");
}

} // namespace

int main() {
    const VkPhysicalDevice physical = firstDevice();
    if (physical == VK_NULL_HANDLE) return 0;
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(physical, &properties);
    Compiler compiler;
    compiler.device = openWithStatistics(physical);
    if (compiler.device == VK_NULL_HANDLE) {
        fmt::print("{} tells nothing of its compiler.\n", properties.deviceName);
        return 0;
    }
    fmt::print("{}\n", properties.deviceName);
    compiler.layout = deviceLayout(compiler.device);
    for (const gpu::QuantKernel& kernel : gpu::quantKernels())
        for (const bool weighted : {false, true})
            if (weighted ? kernel.weighted : quant::weightUse(kernel.dtype) != quant::WeightUse::Required)
                print(compiler, kernel, weighted);
    return 0;
}
