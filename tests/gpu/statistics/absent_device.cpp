// SPDX-License-Identifier: MIT
#include "tests/gpu/statistics/absent_device.h"

#include "gpu/device/float_controls.h"

#include <cctype>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace wb::gpu {
namespace {

constexpr std::uint32_t bindings = 10, pushBytes = 128;

std::unexpected<Error> absent(const char* family) {
    return fail(ErrorCode::NotFound, Reason("test.no_compiler"), "no installed driver compiles for {}", family);
}

Result<void> expectSuccess(VkResult result, const char* what) {
    if (result == VK_SUCCESS) return {};
    return fail(ErrorCode::Internal, Reason("test.vulkan"), "{} failed: {}", what, static_cast<int>(result));
}

std::string upperCase(std::string text) {
    for (char& letter : text) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return text;
}

VkPhysicalDevice findFamily(VkInstance instance, const char* family) {
    std::uint32_t count = 0;
    vkEnumeratePhysicalDevices(instance, &count, nullptr);
    std::vector<VkPhysicalDevice> devices(count);
    vkEnumeratePhysicalDevices(instance, &count, devices.data());
    for (const VkPhysicalDevice device : devices) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(device, &properties);
        const std::string_view name = properties.deviceName;
        if (name.starts_with("Null hardware") && name.find(upperCase(family)) != std::string_view::npos) return device;
    }
    return VK_NULL_HANDLE;
}

// Bytes of a load by its name: dword, dwordx2 … dwordx4 or b32 … b128; less than a word is a word too.
unsigned bytesLoaded(std::string_view name) {
    if (name.starts_with("dwordx")) return 4u * static_cast<unsigned>(name.back() - '0');
    return name == "b64" ? 8 : name == "b96" ? 12 : name == "b128" ? 16 : 4;
}

// Of the loads of vector registers in an assembly text.
double meanBytesOfLoad(std::string_view text) {
    constexpr std::string_view load = "\tbuffer_load_";
    std::uint64_t loads = 0, bytes = 0;
    for (std::size_t at = text.find(load); at != std::string_view::npos; at = text.find(load, at + 1), ++loads) {
        const std::size_t begin = at + load.size();
        bytes += bytesLoaded(text.substr(begin, text.find(' ', begin) - begin));
    }
    return loads == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(loads);
}

} // namespace

Result<AbsentDevice> AbsentDevice::open(const char* family) {
    AbsentDevice device;
    WB_TRY(device.create(family));
    return device;
}

Result<void> AbsentDevice::create(const char* family) {
    // A family that the driver does not know ends its part of the list only.
    setenv("RADV_FORCE_FAMILY", family, 1); // NOLINT(concurrency-mt-unsafe): no other thread yet
    if (volkInitialize() != VK_SUCCESS) return absent(family);
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = VK_API_VERSION_1_2;
    VkInstanceCreateInfo instanceInfo{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    instanceInfo.pApplicationInfo = &application;
    if (vkCreateInstance(&instanceInfo, nullptr, &m_instance) != VK_SUCCESS) return absent(family);
    volkLoadInstanceOnly(m_instance);
    m_physical = findFamily(m_instance, family);
    if (m_physical == VK_NULL_HANDLE) return absent(family);

    VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &driver, {}};
    vkGetPhysicalDeviceProperties2(m_physical, &properties);
    m_driver = std::string(driver.driverName) + ", " + driver.driverInfo;

    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statistics{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, nullptr, VK_TRUE};
    VkPhysicalDeviceShaderIntegerDotProductFeatures dot{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES,
                                                        &statistics, VK_TRUE};
    const std::vector<const char*> extensions = {VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME,
                                                 VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME};
    const float priority = 1;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &dot};
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    WB_TRY(expectSuccess(vkCreateDevice(m_physical, &info, nullptr, &m_device), "vkCreateDevice"));
    volkLoadDeviceTable(&m_vk, m_device);

    std::vector<VkDescriptorSetLayoutBinding> each;
    for (std::uint32_t at = 0; at < bindings; ++at)
        each.push_back({at, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
    VkDescriptorSetLayoutCreateInfo setInfo{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    setInfo.bindingCount = bindings;
    setInfo.pBindings = each.data();
    WB_TRY(expectSuccess(m_vk.vkCreateDescriptorSetLayout(m_device, &setInfo, nullptr, &m_set), "vkCreateDescriptorSetLayout"));
    const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, pushBytes};
    VkPipelineLayoutCreateInfo layoutInfo{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layoutInfo.setLayoutCount = 1;
    layoutInfo.pSetLayouts = &m_set;
    layoutInfo.pushConstantRangeCount = 1;
    layoutInfo.pPushConstantRanges = &push;
    return expectSuccess(m_vk.vkCreatePipelineLayout(m_device, &layoutInfo, nullptr, &m_layout), "vkCreatePipelineLayout");
}

AbsentDevice::AbsentDevice(AbsentDevice&& other) noexcept
    : m_driver(std::move(other.m_driver)), m_instance(std::exchange(other.m_instance, VK_NULL_HANDLE)),
      m_physical(other.m_physical), m_device(std::exchange(other.m_device, VK_NULL_HANDLE)), m_vk(other.m_vk),
      m_set(std::exchange(other.m_set, VK_NULL_HANDLE)), m_layout(std::exchange(other.m_layout, VK_NULL_HANDLE)) {}

AbsentDevice::~AbsentDevice() {
    if (m_device != VK_NULL_HANDLE) {
        m_vk.vkDestroyPipelineLayout(m_device, m_layout, nullptr);
        m_vk.vkDestroyDescriptorSetLayout(m_device, m_set, nullptr);
        m_vk.vkDestroyDevice(m_device, nullptr);
    }
    if (m_instance != VK_NULL_HANDLE) vkDestroyInstance(m_instance, nullptr);
}

Result<ShaderStatistics> AbsentDevice::compile(const KernelCode& code) const {
    const FloatControls controls = deviceFloatControls(m_physical);
    const auto words =
        controls.any() ? withFloatControls(code.words, controls) : std::vector<std::uint32_t>(code.words.begin(), code.words.end());
    VkShaderModuleCreateInfo moduleInfo{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    moduleInfo.codeSize = words.size() * sizeof(std::uint32_t);
    moduleInfo.pCode = words.data();
    VkShaderModule shader = VK_NULL_HANDLE;
    WB_TRY(expectSuccess(m_vk.vkCreateShaderModule(m_device, &moduleInfo, nullptr, &shader), code.name));
    std::vector<VkSpecializationMapEntry> entries;
    for (std::uint32_t id = 0; id < code.constants.size(); ++id) entries.push_back({id, id * 4, 4});
    const VkSpecializationInfo constants{static_cast<std::uint32_t>(entries.size()), entries.data(), code.constants.size() * 4,
                                         code.constants.data()};
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR | VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = shader;
    info.stage.pName = "main";
    info.stage.pSpecializationInfo = &constants;
    info.layout = m_layout;
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult made = m_vk.vkCreateComputePipelines(m_device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    m_vk.vkDestroyShaderModule(m_device, shader, nullptr);
    WB_TRY(expectSuccess(made, code.name));
    auto statistics = read(pipeline);
    m_vk.vkDestroyPipeline(m_device, pipeline, nullptr);
    return statistics;
}

Result<ShaderStatistics> AbsentDevice::read(VkPipeline pipeline) const {
    VkPipelineExecutableInfoKHR which{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, nullptr, pipeline, 0};
    std::uint32_t count = 0;
    WB_TRY(expectSuccess(m_vk.vkGetPipelineExecutableStatisticsKHR(m_device, &which, &count, nullptr), "statistics"));
    std::vector<VkPipelineExecutableStatisticKHR> all(count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR});
    WB_TRY(expectSuccess(m_vk.vkGetPipelineExecutableStatisticsKHR(m_device, &which, &count, all.data()), "statistics"));
    std::map<std::string_view, std::uint64_t> numbers;
    for (const auto& one : all) numbers[one.name] = one.value.u64;
    for (const char* name :
         {"VGPRs", "Spilled VGPRs", "Spilled SGPRs", "Scratch size", "LDS size", "Subgroups per SIMD", "Code size"})
        if (!numbers.contains(name))
            return fail(ErrorCode::NotFound, Reason("test.no_statistic"), "the driver does not tell \"{}\"", name);
    WB_TRY_ASSIGN(const std::string text, readText(pipeline));
    return ShaderStatistics{numbers["VGPRs"],
                            numbers["Spilled VGPRs"] + numbers["Spilled SGPRs"],
                            numbers["Scratch size"],
                            numbers["LDS size"],
                            numbers["Subgroups per SIMD"],
                            numbers["Code size"],
                            meanBytesOfLoad(text)};
}

Result<std::string> AbsentDevice::readText(VkPipeline pipeline) const {
    VkPipelineExecutableInfoKHR which{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, nullptr, pipeline, 0};
    const auto call = [&](std::uint32_t& count, VkPipelineExecutableInternalRepresentationKHR* all) {
        return expectSuccess(m_vk.vkGetPipelineExecutableInternalRepresentationsKHR(m_device, &which, &count, all), "the text");
    };
    std::uint32_t count = 0;
    WB_TRY(call(count, nullptr));
    std::vector<VkPipelineExecutableInternalRepresentationKHR> all(
        count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR});
    WB_TRY(call(count, all.data()));
    std::vector<std::string> texts;
    for (auto& one : all) one.pData = texts.emplace_back(one.dataSize, '\0').data();
    WB_TRY(call(count, all.data()));
    for (std::uint32_t i = 0; i < count; ++i)
        if (std::string_view(all[i].name) == "Assembly") return texts[i];
    return std::string();
}

} // namespace wb::gpu
