// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/buffer.h"
#include "gpu/device/device_info.h"
#include "gpu/device/kernel.h"
#include "gpu/device/vulkan.h"

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace wb::gpu {

class Device;
class CompletionMarkers;
class Recorder;
class Recording;
class Ticket;
using DevicePtr = std::shared_ptr<Device>;

// One opened device with one queue, which takes the submissions of all threads in turn. Thread-safe.
//
// When the driver reports the device lost, everything in flight and everything after it fails with DeviceLost; the work falls back
// to the CPU. Opening the device again may succeed. A device that finishes nothing for a minute counts as lost too: it hangs, stays
// in memory with all it was given, and is not opened again. Software devices are waited for endlessly. After a reset of the
// device the driver may report unfinished work as done, which Vulkan allows of vkWaitSemaphores; so the last command of each
// submission writes its number into a buffer, and where the number is missing the device is lost.
class Device : public std::enable_shared_from_this<Device> {
public:
    // DeviceLost for a device that hung before.
    static Result<DevicePtr> create(VkPhysicalDevice physical, DeviceInfo info);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    const DeviceInfo& info() const { return m_info; }

    // TooLarge if the device does not have this much free memory.
    Result<BufferPtr> buffer(std::uint64_t bytes, Memory memory);

    // Whether the CPU can write into most of the device's own memory (resizable BAR, integrated and software devices). Many cards
    // show it 256 MiB only, which are too few.
    bool hasDirectMemory() const;

    // Compiled at the first request, then shared: same code and constants give the same kernel.
    Result<KernelPtr> kernel(const KernelCode& code);

    // Hands the recorded work to the queue, in the order of the calls, and returns at once; see Ticket.
    Result<Ticket> submit(Recorder&& recorder);

    // The same for recorded work, which costs the driver a few microseconds.
    Result<Ticket> submit(const Recording& recording);

    // Bytes that may still be taken of the memory Memory::Device is in: what the driver says (VK_EXT_memory_budget), else the
    // whole of it less what this device has taken.
    std::uint64_t freeMemory() const;

    bool lost() const { return m_lost; }
    bool hung() const { return m_hung; }
    Error lossError() const; // what everything fails with then

    // Whether the basic arithmetic of the device agrees with the CPU's; computed once, at the first call.
    Result<void> selfTest();

    // Whether the device computes with subnormal numbers as the CPU does, or flushes them as Vulkan allows; tried once, at the
    // first call.
    Result<bool> keepsSubnormals();

    // Whether fma() of shaders rounds once, as std::fma does, or twice, which Vulkan allows; tried once, at the first call.
    Result<bool> fusesMultiplyAdd();

    // Whether the device has the feature and computed known numbers correctly with it; tested once, at the first call.
    bool offers(Feature feature);

    // For rooms that speak Vulkan themselves (gpu/imview) and for this room.
    VkDevice handle() const { return m_device; }
    VkPhysicalDevice physical() const { return m_physical; }
    const VolkDeviceTable& vk() const { return m_vk; }
    std::uint32_t queueFamily() const { return m_family; }
    VkPipelineCache pipelineCache() const { return m_pipelineCache; }
    Result<void> check(VkResult result, const char* what); // notes a loss
    // The index of a memory type among the `allowed` bits (VkMemoryRequirements) that suits the purpose; an Error if none exists.
    Result<std::uint32_t> memoryType(std::uint32_t allowed, Memory memory) const;

private:
    friend class Buffer;
    friend class Ticket;
    bool suits(std::uint32_t type, Memory memory, VkMemoryPropertyFlags flags) const;
    Device(VkPhysicalDevice physical, DeviceInfo info);
    Result<void> createQueue();
    Result<Ticket> submitNow(std::span<const VkCommandBuffer> commands, std::shared_ptr<void> resources);
    Result<void> wait(std::uint64_t value);
    View completionWord(std::uint64_t value) const;
    Result<void> finish(std::uint64_t value);
    unsigned maxIdleTurns() const;
    std::unexpected<Error> abandon();
    void release(std::uint64_t finished);
    void loadPipelines();
    void savePipelines();

    VkPhysicalDevice m_physical;
    DeviceInfo m_info;
    VkDevice m_device = VK_NULL_HANDLE;
    VolkDeviceTable m_vk{};
    std::uint32_t m_family = 0;
    VkQueue m_vkQueue = VK_NULL_HANDLE;
    VkSemaphore m_timeline = VK_NULL_HANDLE;
    VkPipelineCache m_pipelineCache = VK_NULL_HANDLE;
    VkPhysicalDeviceMemoryProperties m_memory{};
    std::atomic<bool> m_lost = false;
    std::atomic<bool> m_hung = false;            // and lost
    BufferPtr m_completions;                     // the number of each finished submission, in words that are used in turn
    std::unique_ptr<CompletionMarkers> m_proofs; // that write them after a recording
    std::atomic<std::uint64_t> m_taken = 0;      // bytes of Memory::Device

    std::mutex m_kernelMutex;
    std::map<std::pair<const std::uint32_t*, std::vector<std::uint32_t>>, KernelPtr> m_kernels;

    struct InFlight {
        std::uint64_t value;
        std::shared_ptr<void> resources;
    };
    std::mutex m_flightMutex;
    std::deque<InFlight> m_inFlight;
    std::mutex m_queueMutex;       // taken before the other
    std::uint64_t m_submitted = 0; // under m_queueMutex

    std::mutex m_selfTestMutex;
    std::optional<Result<void>> m_selfTest;
    std::optional<bool> m_keepsSubnormals, m_fusesMultiplyAdd;
    std::map<Feature, bool> m_offers;
};

// A submitted piece of work. Copyable; what it uses stays alive until the device is done, waited for or not.
class Ticket {
public:
    // Blocks until the device is done, then everything it wrote into Readback buffers can be read. DeviceLost where it never will
    // be.
    Result<void> wait() const;

private:
    friend class Device;
    Ticket(DevicePtr device, std::uint64_t value) : m_device(std::move(device)), m_value(value) {}
    DevicePtr m_device;
    std::uint64_t m_value;
};

} // namespace wb::gpu
