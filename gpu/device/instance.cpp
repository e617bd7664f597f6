// SPDX-License-Identifier: MIT
#include "gpu/device/instance.h"

#include "gpu/device/describe.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>

namespace wb::gpu {
namespace {

constexpr const char* validationLayer = "VK_LAYER_KHRONOS_validation";

Setup& setup() {
    static Setup value;
    return value;
}

struct Messages {
    std::mutex mutex;
    std::vector<std::string> texts;
    bool active = false;
};

Messages& messages() {
    static Messages value;
    return value;
}

bool wantsValidation() {
#ifdef WB_GPU_VALIDATION
    return true;
#else
    const char* wish = std::getenv("WEIGHBRIDGE_GPU_VALIDATION");
    return wish != nullptr && std::string_view(wish) == "1";
#endif
}

VKAPI_ATTR VkBool32 VKAPI_CALL noteMessage(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                           const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
    const std::lock_guard lock(messages().mutex);
    messages().texts.emplace_back(data->pMessage);
    fmt::print(stderr, "Vulkan validation: {}\n", data->pMessage);
    return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messengerInfo() {
    VkDebugUtilsMessengerCreateInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
    info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
    info.pfnUserCallback = noteMessage;
    return info;
}

bool hasLayer(const char* name) {
    std::uint32_t count = 0;
    vkEnumerateInstanceLayerProperties(&count, nullptr);
    std::vector<VkLayerProperties> layers(count);
    vkEnumerateInstanceLayerProperties(&count, layers.data());
    return std::ranges::any_of(layers, [&](const VkLayerProperties& layer) { return std::strcmp(layer.layerName, name) == 0; });
}

bool hasExtension(const char* layer, const char* name) {
    std::uint32_t count = 0;
    vkEnumerateInstanceExtensionProperties(layer, &count, nullptr);
    std::vector<VkExtensionProperties> extensions(count);
    vkEnumerateInstanceExtensionProperties(layer, &count, extensions.data());
    return std::ranges::any_of(extensions, [&](const auto& extension) { return std::strcmp(extension.extensionName, name) == 0; });
}

std::unexpected<Error> noVulkan() {
    return fail(ErrorCode::NotFound, Reason("device.no_vulkan"),
                WB_TEXT("Vulkan is not installed, so no GPU is available; the CPU is used."));
}

} // namespace

void setUp(Setup value) { setup() = std::move(value); }
const Setup& currentSetup() { return setup(); }

std::vector<std::string> validationMessages() {
    const std::lock_guard lock(messages().mutex);
    return messages().texts;
}

bool validationActive() {
    const std::lock_guard lock(messages().mutex);
    return messages().active;
}

Result<const Instance*> Instance::get() {
    static std::mutex mutex;
    static const Instance* shared = nullptr; // never destroyed: devices and drivers may need it up to the end of the process
    const std::lock_guard lock(mutex);
    if (shared != nullptr) return shared;
    static const VkResult loaded = volkInitialize();
    if (loaded != VK_SUCCESS) return noVulkan();
    const auto destroy = [](Instance* failed) { delete failed; };
    std::unique_ptr<Instance, decltype(destroy)> instance(new Instance, destroy);
    WB_TRY(instance->create());
    WB_TRY(instance->findDevices());
    return shared = instance.release();
}

Result<void> Instance::create() {
    const std::uint32_t offered = volkGetInstanceVersion();
    if (offered < VK_API_VERSION_1_1) return noVulkan();
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.pApplicationName = "Weighbridge";
    application.apiVersion = offered >= VK_API_VERSION_1_2 ? VK_API_VERSION_1_2 : VK_API_VERSION_1_1;

    std::vector<const char*> layers, extensions;
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    const VkDebugUtilsMessengerCreateInfoEXT messenger = messengerInfo();
    const bool validate = wantsValidation() && hasLayer(validationLayer);
    if (validate) {
        layers.push_back(validationLayer);
        extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
        info.pNext = &messenger;
    }
    // MoltenVK is listed only to programs that accept an incomplete Vulkan.
    if (hasExtension(nullptr, VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME)) {
        extensions.push_back(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
        info.flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
    }
    info.pApplicationInfo = &application;
    info.enabledLayerCount = static_cast<std::uint32_t>(layers.size());
    info.ppEnabledLayerNames = layers.data();
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    if (vkCreateInstance(&info, nullptr, &m_instance) != VK_SUCCESS) return noVulkan();
    volkLoadInstanceOnly(m_instance);
    if (validate) listen();
    return {};
}

void Instance::listen() {
    const VkDebugUtilsMessengerCreateInfoEXT info = messengerInfo();
    vkCreateDebugUtilsMessengerEXT(m_instance, &info, nullptr, &m_messenger);
    const std::lock_guard lock(messages().mutex);
    messages().active = true;
}

Result<void> Instance::findDevices() {
    std::uint32_t count = 0;
    vkEnumeratePhysicalDevices(m_instance, &count, nullptr);
    std::vector<VkPhysicalDevice> handles(count);
    if (vkEnumeratePhysicalDevices(m_instance, &count, handles.data()) < 0) return noVulkan();
    for (const VkPhysicalDevice handle : handles) m_devices.push_back({handle, describe(handle)});
    std::ranges::stable_sort(m_devices, {}, [](const Found& found) { return found.info.kind; });
    for (std::size_t at = 0; at < m_devices.size(); ++at) m_devices[at].info.index = static_cast<unsigned>(at + 1);
    return {};
}

Instance::~Instance() {
    if (m_messenger != VK_NULL_HANDLE) vkDestroyDebugUtilsMessengerEXT(m_instance, m_messenger, nullptr);
    if (m_instance != VK_NULL_HANDLE) vkDestroyInstance(m_instance, nullptr);
}

Result<std::vector<DeviceInfo>> devices() {
    WB_TRY_ASSIGN(const Instance* instance, Instance::get());
    std::vector<DeviceInfo> infos;
    for (const Instance::Found& found : instance->devices()) {
        infos.push_back(found.info);
        infos.back().free = freeMemory(found.handle);
    }
    return infos;
}

} // namespace wb::gpu
