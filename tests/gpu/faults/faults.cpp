// SPDX-License-Identifier: MIT
#include "tests/gpu/faults/faults.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace wb::test {
namespace {

struct Injected {
    Fault fault = Fault::Lost;
    std::uint64_t submissions = 0; // until it comes
};

// A device with the functions of its driver that faults stand before.
struct Faulty {
    PFN_vkGetDeviceQueue getQueue = nullptr;
    PFN_vkQueueSubmit submit = nullptr;
    PFN_vkWaitSemaphores wait = nullptr;
    PFN_vkAllocateMemory allocate = nullptr;
    PFN_vkDestroyDevice destroy = nullptr;
    VkQueue queue = VK_NULL_HANDLE;
    std::optional<Injected> injected;
};

std::mutex mutex;
std::map<VkDevice, Faulty>& devices() {
    static auto& all = *new std::map<VkDevice, Faulty>; // devices may be closed after it would be destroyed
    return all;
}
PFN_vkGetDeviceProcAddr loadFromDriver = nullptr;

Faulty deviceFaulty(VkDevice device) {
    const std::lock_guard lock(mutex);
    return devices().at(device);
}

std::optional<Injected> wishOfEnvironment() {
    constexpr std::pair<std::string_view, Fault> faults[] = {
        {"lost:", Fault::Lost}, {"hang:", Fault::Hang}, {"reset:", Fault::Reset}, {"memory:", Fault::Memory}};
    const char* wish = std::getenv("WEIGHBRIDGE_GPU_FAULT");
    for (const auto& [prefix, fault] : faults)
        if (wish != nullptr && std::string_view(wish).starts_with(prefix))
            return Injected{fault, std::strtoull(wish + prefix.size(), nullptr, 10)};
    return {};
}

// Counts a submission to the queue. The fault it meets, if one has come that concerns submissions.
std::optional<Fault> countSubmission(VkQueue queue, PFN_vkQueueSubmit& submit) {
    const std::lock_guard lock(mutex);
    const auto found = std::ranges::find_if(devices(), [&](const auto& entry) { return entry.second.queue == queue; });
    Faulty& faulty = found->second;
    submit = faulty.submit;
    if (!faulty.injected) return {};
    if (faulty.injected->submissions > 0) {
        --faulty.injected->submissions;
        return {};
    }
    if (faulty.injected->fault == Fault::Memory) return {};
    return faulty.injected->fault;
}

VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, std::uint32_t count, const VkSubmitInfo* infos, VkFence fence) {
    PFN_vkQueueSubmit toDriver = nullptr;
    const auto fault = countSubmission(queue, toDriver);
    if (!fault) return toDriver(queue, count, infos, fence);
    if (*fault == Fault::Lost) return VK_ERROR_DEVICE_LOST;
    if (*fault == Fault::Hang) return VK_SUCCESS;
    std::vector<VkSubmitInfo> empty(infos, infos + count); // what they signal is signalled
    for (VkSubmitInfo& info : empty) info.commandBufferCount = 0;
    return toDriver(queue, count, empty.data(), fence);
}

// A device that hangs makes nobody wait long for each turn.
VKAPI_ATTR VkResult VKAPI_CALL waitSemaphores(VkDevice device, const VkSemaphoreWaitInfo* info, std::uint64_t timeout) {
    const Faulty faulty = deviceFaulty(device);
    const bool hangs = faulty.injected && faulty.injected->fault == Fault::Hang && faulty.injected->submissions == 0;
    return faulty.wait(device, info, hangs ? std::min<std::uint64_t>(timeout, 1'000'000) : timeout);
}

VKAPI_ATTR VkResult VKAPI_CALL allocateMemory(VkDevice device, const VkMemoryAllocateInfo* info,
                                              const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
    PFN_vkAllocateMemory toDriver = nullptr;
    {
        const std::lock_guard lock(mutex);
        Faulty& faulty = devices().at(device);
        toDriver = faulty.allocate;
        if (faulty.injected && faulty.injected->fault == Fault::Memory && faulty.injected->submissions == 0) {
            faulty.injected.reset();
            return VK_ERROR_OUT_OF_DEVICE_MEMORY;
        }
    }
    return toDriver(device, info, callbacks, memory);
}

VKAPI_ATTR void VKAPI_CALL getDeviceQueue(VkDevice device, std::uint32_t family, std::uint32_t index, VkQueue* queue) {
    deviceFaulty(device).getQueue(device, family, index, queue);
    const std::lock_guard lock(mutex);
    devices().at(device).queue = *queue;
}

VKAPI_ATTR void VKAPI_CALL destroyDevice(VkDevice device, const VkAllocationCallbacks* callbacks) {
    const PFN_vkDestroyDevice toDriver = deviceFaulty(device).destroy;
    {
        const std::lock_guard lock(mutex);
        devices().erase(device); // another device may get the same handle
    }
    toDriver(device, callbacks);
}

template <typename Function>
PFN_vkVoidFunction replace(PFN_vkVoidFunction driver, Function*& slot, Function* ours) {
    slot = reinterpret_cast<Function*>(driver);
    return reinterpret_cast<PFN_vkVoidFunction>(ours);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL loadFunction(VkDevice device, const char* name) {
    const PFN_vkVoidFunction driver = loadFromDriver(device, name);
    if (driver == nullptr) return nullptr;
    const std::lock_guard lock(mutex);
    const auto [entry, isNew] = devices().try_emplace(device);
    Faulty& faulty = entry->second;
    if (isNew) faulty.injected = wishOfEnvironment();
    const std::string_view function = name;
    if (function == "vkGetDeviceQueue") return replace(driver, faulty.getQueue, getDeviceQueue);
    if (function == "vkQueueSubmit") return replace(driver, faulty.submit, submit);
    if (function == "vkWaitSemaphores" || function == "vkWaitSemaphoresKHR") return replace(driver, faulty.wait, waitSemaphores);
    if (function == "vkAllocateMemory") return replace(driver, faulty.allocate, allocateMemory);
    if (function == "vkDestroyDevice") return replace(driver, faulty.destroy, destroyDevice);
    return driver;
}

} // namespace

void enableFaults() {
    static const bool enabled = [] {
        if (!gpu::devices()) return false; // there is no Vulkan to stand before
        loadFromDriver = std::exchange(vkGetDeviceProcAddr, loadFunction);
        return true;
    }();
    (void)enabled;
}

void injectFault(const gpu::Device& device, Fault fault, std::uint64_t submissions) {
    const std::lock_guard lock(mutex);
    devices().at(device.handle()).injected = Injected{fault, submissions};
}

bool isFaulty(const gpu::Device& device) {
    const std::lock_guard lock(mutex);
    return devices().at(device.handle()).injected.has_value();
}

} // namespace wb::test
