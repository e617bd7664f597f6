// SPDX-License-Identifier: MIT
#include "gpu/device/device.h"

#include "gpu/device/describe.h"
#include "gpu/device/feature_chain.h"
#include "gpu/device/feature_test.h"
#include "gpu/device/fused.h"
#include "gpu/device/float_controls.h"
#include "gpu/device/instance.h"
#include "gpu/device/pipeline_cache.h"
#include "gpu/device/completion_markers.h"
#include "gpu/device/recorder.h"
#include "gpu/device/self_test.h"
#include "gpu/device/subnormals.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace wb::gpu {
namespace {

// Devices that hang. Their drivers may use all that they were given at any time, so none of it is ever destroyed.
class HungDevices {
public:
    static HungDevices& all() {
        static auto& value = *new HungDevices;
        return value;
    }
    void keep(DevicePtr device) {
        const std::lock_guard lock(m_mutex);
        m_devices.push_back(std::move(device));
    }
    bool contains(const DeviceInfo& info) {
        const std::lock_guard lock(m_mutex);
        return std::ranges::any_of(
            m_devices, [&](const DevicePtr& hung) { return hung->info().id == info.id && hung->info().name == info.name; });
    }

private:
    std::mutex m_mutex;
    std::vector<DevicePtr> m_devices;
};

std::vector<const char*> extensionsFor(VkPhysicalDevice device) {
    std::vector<const char*> names;
    if (!isVulkan12(device)) names.push_back(VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME);
    if (!isVulkan12(device) && deviceFloatControls(device).any()) names.push_back(VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME);
    // A device that has this one insists on its being asked for.
    if (hasDeviceExtension(device, "VK_KHR_portability_subset")) names.push_back("VK_KHR_portability_subset");
    return names;
}

VkMemoryPropertyFlags preferredFlags(Memory memory) {
    switch (memory) {
    case Memory::Device: return VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    case Memory::Upload: return VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    case Memory::Readback:
        return VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    case Memory::Direct:
        return VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    }
    return 0;
}

} // namespace

Result<DevicePtr> Device::create(VkPhysicalDevice physical, DeviceInfo info) {
    if (HungDevices::all().contains(info))
        return fail(ErrorCode::DeviceLost, Reason("device.hung"),
                    WB_TEXT("The GPU {} is not responding; restart Weighbridge to use it again."), info.name);
    DevicePtr device(new Device(physical, std::move(info)));
    WB_TRY(device->createQueue());
    WB_TRY_ASSIGN(device->m_completions, device->buffer(completionWords * sizeof(std::uint32_t), Memory::Readback));
    std::ranges::fill(device->m_completions->map<std::uint32_t>(), 0u);
    WB_TRY_ASSIGN(device->m_proofs, CompletionMarkers::make(*device));
    device->loadPipelines();
    return device;
}

Device::Device(VkPhysicalDevice physical, DeviceInfo info) : m_physical(physical), m_info(std::move(info)) {
    vkGetPhysicalDeviceMemoryProperties(physical, &m_memory);
}

Result<void> Device::createQueue() {
    m_family = chooseFamily(m_physical).index;
    const float priority = 1;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueFamilyIndex = m_family;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
    timeline.timelineSemaphore = VK_TRUE;
    FeatureChain features(m_info.faster);
    timeline.pNext = features.head();
    auto extensions = extensionsFor(m_physical);
    extensions.insert(extensions.end(), features.extensions().begin(), features.extensions().end());
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = &timeline;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    WB_TRY(check(vkCreateDevice(m_physical, &info, nullptr, &m_device), "vkCreateDevice"));
    volkLoadDeviceTable(&m_vk, m_device);
    // Where timeline semaphores are an extension, their functions carry its suffix.
    if (m_vk.vkWaitSemaphores == nullptr) m_vk.vkWaitSemaphores = m_vk.vkWaitSemaphoresKHR;
    if (m_vk.vkGetSemaphoreCounterValue == nullptr) m_vk.vkGetSemaphoreCounterValue = m_vk.vkGetSemaphoreCounterValueKHR;
    m_vk.vkGetDeviceQueue(m_device, m_family, 0, &m_vkQueue);

    VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    const VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type, 0};
    return check(m_vk.vkCreateSemaphore(m_device, &semaphore, nullptr, &m_timeline), "vkCreateSemaphore");
}

Device::~Device() {
    if (m_device == VK_NULL_HANDLE) return;
    m_vk.vkDeviceWaitIdle(m_device);
    m_inFlight.clear();
    m_proofs.reset();
    m_completions.reset();
    m_kernels.clear();
    savePipelines();
    m_vk.vkDestroyPipelineCache(m_device, m_pipelineCache, nullptr);
    m_vk.vkDestroySemaphore(m_device, m_timeline, nullptr);
    m_vk.vkDestroyDevice(m_device, nullptr);
}

Error Device::lossError() const {
    return makeError(ErrorCode::DeviceLost, Reason("device.lost"), WB_TEXT("The GPU {} stopped working; the CPU takes over."),
                     m_info.name);
}

Result<void> Device::check(VkResult result, const char* what) {
    if (result >= 0) return {};
    if (result == VK_ERROR_DEVICE_LOST) {
        m_lost = true;
        return std::unexpected(lossError());
    }
    const bool memory = result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY;
    Error error =
        memory ? makeError(ErrorCode::TooLarge, Reason("device.memory"),
                           WB_TEXT("The GPU {} is out of memory; the CPU takes over."), m_info.name)
               : makeError(ErrorCode::Internal, Reason("device.driver"),
                           WB_TEXT("The driver of the GPU {} rejected a request ({}); the CPU takes over."), m_info.name, what);
    error.detail = fmt::format("{}: VkResult {}", what, static_cast<int>(result));
    return std::unexpected(std::move(error));
}

Result<BufferPtr> Device::buffer(std::uint64_t bytes, Memory memory) {
    if (m_lost) WB_TRY(check(VK_ERROR_DEVICE_LOST, "buffer"));
    return Buffer::create(*this, bytes, memory);
}

// The least of a heap of direct memory, unless it is all the device has.
constexpr VkDeviceSize minDirect = VkDeviceSize{1} << 30;

bool Device::suits(std::uint32_t type, Memory memory, VkMemoryPropertyFlags flags) const {
    const VkMemoryType& one = m_memory.memoryTypes[type];
    if ((one.propertyFlags & flags) != flags) return false;
    const VkDeviceSize heap = m_memory.memoryHeaps[one.heapIndex].size;
    return memory != Memory::Direct || heap >= std::min<VkDeviceSize>(minDirect, m_info.memory);
}

bool Device::hasDirectMemory() const {
    for (std::uint32_t type = 0; type < m_memory.memoryTypeCount; ++type)
        if (suits(type, Memory::Direct, preferredFlags(Memory::Direct))) return true;
    return false;
}

// Vulkan declares a type that is visible and coherent, but not one that is also cached, and no type that suits every resource.
Result<std::uint32_t> Device::memoryType(std::uint32_t allowed, Memory memory) const {
    const VkMemoryPropertyFlags preferred = preferredFlags(memory);
    const VkMemoryPropertyFlags required = preferred & ~static_cast<VkMemoryPropertyFlags>(VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    for (const VkMemoryPropertyFlags flags : {preferred, required}) {
        for (std::uint32_t type = 0; type < m_memory.memoryTypeCount; ++type)
            if ((allowed >> type & 1) != 0 && suits(type, memory, flags)) return type;
    }
    return fail(ErrorCode::Internal, Reason("device.no_memory_type"),
                WB_TEXT("The driver of the GPU {} does not provide the required memory type; the CPU is used."), m_info.name);
}

Result<KernelPtr> Device::kernel(const KernelCode& code) {
    const std::lock_guard lock(m_kernelMutex);
    KernelPtr& slot = m_kernels[{code.words.data(), code.constants}];
    if (!slot) {
        WB_TRY_ASSIGN(slot, Kernel::create(*this, code));
    }
    return slot;
}

Result<Ticket> Device::submit(Recorder&& recorder) {
    const std::lock_guard lock(m_queueMutex);
    const std::uint64_t value = m_submitted + 1;
    WB_TRY(recorder.end(completionWord(value), static_cast<std::uint32_t>(value)));
    const std::array commands = {recorder.commands()};
    return submitNow(commands, recorder.resources());
}

Result<Ticket> Device::submit(const Recording& recording) {
    const std::lock_guard lock(m_queueMutex);
    const std::uint64_t value = m_submitted + 1;
    WB_TRY_ASSIGN(const VkCommandBuffer proof, m_proofs->commands(value, completionWord(value)));
    const std::array commands = {recording.m_commands, proof};
    return submitNow(commands, recording.m_resources);
}

// m_queueMutex is held.
Result<Ticket> Device::submitNow(std::span<const VkCommandBuffer> commands, std::shared_ptr<void> resources) {
    if (m_lost) return std::unexpected(lossError());
    const std::uint64_t value = m_submitted + 1;
    VkTimelineSemaphoreSubmitInfo timeline{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    timeline.signalSemaphoreValueCount = 1;
    timeline.pSignalSemaphoreValues = &value;
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    info.pNext = &timeline;
    info.commandBufferCount = static_cast<std::uint32_t>(commands.size());
    info.pCommandBuffers = commands.data();
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &m_timeline;
    {
        const std::lock_guard lock(m_flightMutex);
        m_inFlight.push_back({value, std::move(resources)});
    }
    m_submitted = value;
    WB_TRY(check(m_vk.vkQueueSubmit(m_vkQueue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit"));
    std::uint64_t finished = 0;
    if (m_vk.vkGetSemaphoreCounterValue(m_device, m_timeline, &finished) == VK_SUCCESS) release(finished);
    return Ticket(shared_from_this(), value);
}

std::uint64_t Device::freeMemory() const {
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, nullptr, {}};
    const bool tells = hasDeviceExtension(m_physical, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    if (tells) all.pNext = &budget;
    vkGetPhysicalDeviceMemoryProperties2(m_physical, &all);
    const auto type = memoryType(~0u, Memory::Device);
    if (!type) return 0;
    const std::uint32_t heap = m_memory.memoryTypes[*type].heapIndex;
    const std::uint64_t whole = tells ? budget.heapBudget[heap] : m_memory.memoryHeaps[heap].size;
    const std::uint64_t used = tells ? budget.heapUsage[heap] : m_taken.load();
    return whole - std::min(whole, used);
}

// How often a wait may end without any progress. Turns are counted, not time: the machine may have been asleep.
unsigned Device::maxIdleTurns() const { return m_info.software() ? std::numeric_limits<unsigned>::max() : 600; }

Result<void> Device::wait(std::uint64_t value) {
    VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    info.semaphoreCount = 1;
    info.pSemaphores = &m_timeline;
    info.pValues = &value;
    constexpr std::uint64_t turn = 100'000'000; // nanoseconds
    std::uint64_t finished = 0;
    for (unsigned idle = 0; idle < maxIdleTurns(); ++idle) {
        if (m_lost) return std::unexpected(lossError());
        const VkResult result = m_vk.vkWaitSemaphores(m_device, &info, turn);
        WB_TRY(check(result, "vkWaitSemaphores"));
        if (result == VK_SUCCESS) return finish(value);
        std::uint64_t now = finished;
        WB_TRY(check(m_vk.vkGetSemaphoreCounterValue(m_device, m_timeline, &now), "vkGetSemaphoreCounterValue"));
        if (std::exchange(finished, now) != now) idle = 0;
    }
    return abandon();
}

View Device::completionWord(std::uint64_t value) const {
    return m_completions->view(value % completionWords * sizeof(std::uint32_t), sizeof(std::uint32_t));
}

// Called when the driver reports the submission as done.
Result<void> Device::finish(std::uint64_t value) {
    const std::uint32_t completed = m_completions->map<std::uint32_t>()[value % completionWords];
    // A later submission that used the same word proves this one as well.
    if (static_cast<std::int32_t>(completed - static_cast<std::uint32_t>(value)) < 0)
        WB_TRY(check(VK_ERROR_DEVICE_LOST, "vkWaitSemaphores"));
    release(value);
    return {};
}

std::unexpected<Error> Device::abandon() {
    if (!m_hung.exchange(true)) HungDevices::all().keep(shared_from_this());
    m_lost = true;
    return std::unexpected(lossError());
}

// What finished work held is released outside the lock: buffers may be many.
void Device::release(std::uint64_t finished) {
    std::vector<std::shared_ptr<void>> done;
    const std::lock_guard lock(m_flightMutex);
    while (!m_inFlight.empty() && m_inFlight.front().value <= finished) {
        done.push_back(std::move(m_inFlight.front().resources));
        m_inFlight.pop_front();
    }
}

Result<void> Device::selfTest() {
    const std::lock_guard lock(m_selfTestMutex);
    if (!m_selfTest) m_selfTest = runSelfTest(shared_from_this());
    return *m_selfTest;
}

Result<bool> Device::keepsSubnormals() {
    const std::lock_guard lock(m_selfTestMutex);
    if (!m_keepsSubnormals) {
        WB_TRY_ASSIGN(m_keepsSubnormals, gpu::keepsSubnormals(shared_from_this()));
    }
    return *m_keepsSubnormals;
}

Result<bool> Device::fusesMultiplyAdd() {
    const std::lock_guard lock(m_selfTestMutex);
    if (!m_fusesMultiplyAdd) {
        WB_TRY_ASSIGN(m_fusesMultiplyAdd, gpu::fusesMultiplyAdd(shared_from_this()));
    }
    return *m_fusesMultiplyAdd;
}

bool Device::offers(Feature feature) {
    const std::lock_guard lock(m_selfTestMutex);
    if (const auto known = m_offers.find(feature); known != m_offers.end()) return known->second;
    const bool claimed = std::ranges::find(m_info.faster, feature) != m_info.faster.end();
    return m_offers[feature] = claimed && computesRightly(shared_from_this(), feature);
}

void Device::loadPipelines() { m_pipelineCache = loadPipelineCache(*this, currentSetup().cacheFolder); }

void Device::savePipelines() {
    if (!m_lost) savePipelineCache(*this, currentSetup().cacheFolder);
}

Result<void> Ticket::wait() const { return m_device->wait(m_value); }

} // namespace wb::gpu
