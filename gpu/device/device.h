// SPDX-License-Identifier: MIT
#pragma once

#include "core/jobs/latest_queue.h"
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
class Instance;
class Recorder;
class Ticket;
using DevicePtr = std::shared_ptr<Device>;

enum class Accept { Hardware, AlsoSoftware };

// The best usable device of the wished kind, or the one of that number or id. NotFound with a sentence where there is none,
// Unsupported where what there is lacks something, DeviceLost where it hung before. Devices are shared: opening one that is open
// gives the same object, unless that one was lost. Thread-safe.
Result<DevicePtr> openBest(Accept accept);
Result<DevicePtr> openAt(unsigned index);
Result<DevicePtr> openId(const std::string& id);

// One opened device with one queue. A single thread owns the queue: recorders are filled by any thread, then handed to it.
// Thread-safe. The last reference must not be dropped inside a posted task.
//
// When the driver gives the device up, everything in flight and everything after it fails with DeviceLost; the work goes to the CPU
// then. Opening anew may succeed. A device that finishes nothing for a minute, while its driver says nothing, counts as lost too;
// it stays in memory with all it was given and is not opened again. Software devices have all the time they need. Work that a reset
// of the device ended may be reported as done, which Vulkan allows of vkWaitSemaphores, so each submission leaves its number behind
// as its last act; where that is missing the device is lost. The environment variable WEIGHBRIDGE_GPU_FAULT=lost:N, hang:N or
// reset:N (or feign()) makes it so after N submissions, for tests; memory:N lets one buffer get no room then.
class Device : public std::enable_shared_from_this<Device> {
public:
    static Result<DevicePtr> create(std::shared_ptr<Instance> instance, VkPhysicalDevice physical, DeviceInfo info);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    const DeviceInfo& info() const { return m_info; }

    // TooLarge where the device has not so much memory left.
    Result<BufferPtr> buffer(std::uint64_t bytes, Memory memory);

    // Compiled at the first request, then shared: same code and constants give the same kernel.
    Result<KernelPtr> kernel(const KernelCode& code);

    // Hands the recorded work to the queue, in the order of the calls, and returns at once; see Ticket.
    Result<Ticket> submit(Recorder&& recorder);

    // Runs the task on the owner thread; one that waits there with the same key is replaced, one that runs is asked to stop.
    void post(std::string key, jobs::LatestQueue::Task task) { m_queue->submit(std::move(key), std::move(task)); }

    bool lost() const { return m_lost; }
    bool hung() const { return m_hung; }
    enum class Fault : std::uint8_t { Lost, Hang, Reset, Memory };
    void feign(Fault fault, std::uint64_t submissions);
    bool feigns() const { return m_submissionsLeft >= 0; } // the fault is to come, or stays
    void loseAfter(std::uint64_t submissions) { feign(Fault::Lost, submissions); }

    // Whether the basic arithmetic of the device agrees with the CPU's; computed once, at the first call.
    Result<void> selfTest();

    // Whether the device has the feature and computed known numbers rightly with it; tested once, at the first call.
    bool offers(Feature feature);

    // For rooms that speak Vulkan themselves (gpu/imview) and for this room.
    VkDevice handle() const { return m_device; }
    VkPhysicalDevice physical() const { return m_physical; }
    const VolkDeviceTable& vk() const { return m_vk; }
    std::uint32_t queueFamily() const { return m_family; }
    VkPipelineCache pipelineCache() const { return m_pipelineCache; }
    Result<void> check(VkResult result, const char* what); // notes a loss
    // The index of a memory type among the `allowed` bits (VkMemoryRequirements) that suits the purpose; an Error where there is
    // none.
    Result<std::uint32_t> memoryType(std::uint32_t allowed, Memory memory) const;

private:
    friend class Ticket;
    Device(std::shared_ptr<Instance> instance, VkPhysicalDevice physical, DeviceInfo info);
    Result<void> createQueue();
    Result<std::uint64_t> submitNow(Recorder& recorder);
    Result<void> wait(std::uint64_t value);
    void feignAsWished();
    bool feignsFull();
    View proofOf(std::uint64_t value) const;
    Result<void> finish(std::uint64_t value);
    unsigned patience() const;
    std::unexpected<Error> abandon();
    void release(std::uint64_t finished);
    void loadPipelines();
    void savePipelines();

    std::shared_ptr<Instance> m_instance; // outlives the device
    VkPhysicalDevice m_physical;
    DeviceInfo m_info;
    VkDevice m_device = VK_NULL_HANDLE;
    VolkDeviceTable m_vk{};
    std::uint32_t m_family = 0;
    VkQueue m_handleOfQueue = VK_NULL_HANDLE;
    VkSemaphore m_timeline = VK_NULL_HANDLE;
    VkPipelineCache m_pipelineCache = VK_NULL_HANDLE;
    VkPhysicalDeviceMemoryProperties m_memory{};
    std::atomic<bool> m_lost = false;
    std::atomic<bool> m_hung = false; // and lost
    std::atomic<Fault> m_feigned = Fault::Lost;
    std::atomic<std::int64_t> m_submissionsLeft = -1; // until that; never where negative
    BufferPtr m_proofs;                               // the numbers that submissions left behind, each in the next word

    std::mutex m_kernelMutex;
    std::map<std::pair<const std::uint32_t*, std::vector<std::uint32_t>>, KernelPtr> m_kernels;

    struct InFlight {
        std::uint64_t value;
        std::shared_ptr<void> resources;
    };
    std::mutex m_flightMutex;
    std::deque<InFlight> m_inFlight;
    std::uint64_t m_submitted = 0; // owner thread only

    std::mutex m_selfTestMutex;
    std::optional<Result<void>> m_selfTest;
    std::map<Feature, bool> m_offers;

    std::thread::id m_owner;
    std::atomic<std::uint64_t> m_nextKey = 0;
    std::unique_ptr<jobs::LatestQueue> m_queue = std::make_unique<jobs::LatestQueue>();
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
