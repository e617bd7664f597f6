// SPDX-License-Identifier: MIT
#include "gpu/device/recorder.h"

#include <array>

namespace wb::gpu {

// What one submission needs until the device is done with it.
struct Recorder::Resources {
    explicit Resources(Device& owner) : device(owner) {}
    ~Resources() {
        device.vk().vkDestroyCommandPool(device.handle(), pool, nullptr);
        for (const VkDescriptorPool sets : descriptorPools) device.vk().vkDestroyDescriptorPool(device.handle(), sets, nullptr);
    }
    Resources(const Resources&) = delete;
    Resources& operator=(const Resources&) = delete;

    Device& device;
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    std::vector<VkDescriptorPool> descriptorPools;
    std::uint32_t setsLeft = 0;
    std::uint32_t buffersLeft = 0;
    std::vector<BufferPtr> buffers;
    std::vector<KernelPtr> kernels;
    std::vector<std::shared_ptr<void>> others;
};

Recorder::Recorder(DevicePtr device, Replay replay)
    : m_device(std::move(device)), m_resources(std::make_shared<Resources>(*m_device)) {
    m_outcome = begin(replay);
}

void Recorder::note(Result<void> result) {
    if (m_outcome && !result) m_outcome = std::move(result);
}

Result<void> Recorder::begin(Replay replay) {
    const VolkDeviceTable& vk = m_device->vk();
    VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool.flags = replay == Replay::No ? VK_COMMAND_POOL_CREATE_TRANSIENT_BIT : 0;
    pool.queueFamilyIndex = m_device->queueFamily();
    WB_TRY(m_device->check(vk.vkCreateCommandPool(m_device->handle(), &pool, nullptr, &m_resources->pool), "vkCreateCommandPool"));
    VkCommandBufferAllocateInfo buffer{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    buffer.commandPool = m_resources->pool;
    buffer.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    buffer.commandBufferCount = 1;
    WB_TRY(m_device->check(vk.vkAllocateCommandBuffers(m_device->handle(), &buffer, &m_resources->commands),
                           "vkAllocateCommandBuffers"));
    VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    info.flags = replay == Replay::No ? VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT : VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    return m_device->check(vk.vkBeginCommandBuffer(m_resources->commands, &info), "vkBeginCommandBuffer");
}

// Lets the host and later submissions on the queue see the writes.
void Recorder::makeAllVisible() {
    const VkMemoryBarrier before{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_MEMORY_WRITE_BIT,
                                 VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT};
    m_device->vk().vkCmdPipelineBarrier(m_resources->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &before, 0, nullptr,
                                        0, nullptr);
}

Result<Recording> Recorder::finish() {
    WB_TRY(m_outcome);
    makeAllVisible();
    WB_TRY(m_device->check(m_device->vk().vkEndCommandBuffer(m_resources->commands), "vkEndCommandBuffer"));
    return Recording(m_resources->commands, m_resources);
}

// The number of the submission is written after everything else.
Result<void> Recorder::end(const View& completion, std::uint32_t number) {
    WB_TRY(m_outcome);
    makeAllVisible();
    const VolkDeviceTable& vk = m_device->vk();
    const VkCommandBuffer commands = m_resources->commands;
    vk.vkCmdFillBuffer(commands, completion.buffer->handle(), completion.offset, completion.bytes, number);
    const VkMemoryBarrier after{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_HOST_READ_BIT};
    vk.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &after, 0, nullptr, 0,
                            nullptr);
    return m_device->check(vk.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

void Recorder::declare(std::span<const Binding> bindings) {
    std::vector<Hazards::Access> step;
    for (const Binding& binding : bindings) {
        const View& view = binding.view;
        step.push_back({view.buffer.get(), view.offset, view.offset + view.bytes, binding.write});
        m_resources->buffers.push_back(view.buffer);
    }
    if (!m_hazards.add(step)) return;
    ++m_waits;
    const VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_MEMORY_WRITE_BIT,
                                  VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    m_device->vk().vkCmdPipelineBarrier(m_resources->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

VkDescriptorSet Recorder::bind(const Kernel& kernel, std::span<const Binding> bindings) {
    const VolkDeviceTable& vk = m_device->vk();
    Resources& own = *m_resources;
    const auto count = static_cast<std::uint32_t>(bindings.size());
    if (own.setsLeft == 0 || own.buffersLeft < count) {
        own.setsLeft = 64;
        own.buffersLeft = 512;
        const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, own.buffersLeft};
        VkDescriptorPoolCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
        info.maxSets = own.setsLeft;
        info.poolSizeCount = 1;
        info.pPoolSizes = &size;
        VkDescriptorPool pool = VK_NULL_HANDLE;
        note(m_device->check(vk.vkCreateDescriptorPool(m_device->handle(), &info, nullptr, &pool), "vkCreateDescriptorPool"));
        own.descriptorPools.push_back(pool);
    }
    if (!m_outcome) return VK_NULL_HANDLE;
    --own.setsLeft;
    own.buffersLeft -= count;
    VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    const VkDescriptorSetLayout layout = kernel.setLayout();
    info.descriptorPool = own.descriptorPools.back();
    info.descriptorSetCount = 1;
    info.pSetLayouts = &layout;
    VkDescriptorSet set = VK_NULL_HANDLE;
    note(m_device->check(vk.vkAllocateDescriptorSets(m_device->handle(), &info, &set), "vkAllocateDescriptorSets"));
    if (!m_outcome) return VK_NULL_HANDLE;

    std::vector<VkDescriptorBufferInfo> buffers;
    for (const Binding& binding : bindings)
        buffers.push_back({binding.view.buffer->handle(), binding.view.offset, binding.view.bytes});
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    std::vector<VkWriteDescriptorSet> all(count, write);
    for (std::uint32_t at = 0; at < count; ++at) {
        all[at].dstSet = set;
        all[at].dstBinding = at;
        all[at].descriptorCount = 1;
        all[at].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        all[at].pBufferInfo = &buffers[at];
    }
    vk.vkUpdateDescriptorSets(m_device->handle(), count, all.data(), 0, nullptr);
    return set;
}

void Recorder::dispatch(const KernelPtr& kernel, std::span<const Binding> bindings, std::span<const std::byte> push,
                        Groups groups) {
    if (!m_outcome || groups.x == 0 || groups.y == 0 || groups.z == 0) return;
    if (bindings.size() != kernel->code().buffers || push.size() != kernel->code().pushBytes) {
        note(fail(ErrorCode::Internal, Reason("device.wrong_buffers"),
                  WB_TEXT("The shader {} received the wrong buffers; please report this bug."), kernel->code().name));
        return;
    }
    const VkDescriptorSet set = bind(*kernel, bindings);
    if (set == VK_NULL_HANDLE) return;
    declare(bindings);
    m_resources->kernels.push_back(kernel);
    const VolkDeviceTable& vk = m_device->vk();
    const VkCommandBuffer commands = m_resources->commands;
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline());
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->layout(), 0, 1, &set, 0, nullptr);
    if (!push.empty())
        vk.vkCmdPushConstants(commands, kernel->layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, static_cast<std::uint32_t>(push.size()),
                              push.data());
    vk.vkCmdDispatch(commands, groups.x, groups.y, groups.z);
}

void Recorder::copy(const View& from, const View& to) {
    if (!m_outcome || from.bytes == 0) return;
    const std::array bindings = {reads(from), writes(to)};
    declare(bindings);
    const VkBufferCopy region{from.offset, to.offset, from.bytes};
    m_device->vk().vkCmdCopyBuffer(m_resources->commands, from.buffer->handle(), to.buffer->handle(), 1, &region);
}

void Recorder::fill(const View& view, std::uint32_t word) {
    if (!m_outcome || view.bytes == 0) return;
    const std::array bindings = {writes(view)};
    declare(bindings);
    m_device->vk().vkCmdFillBuffer(m_resources->commands, view.buffer->handle(), view.offset, view.bytes, word);
}

VkCommandBuffer Recorder::raw(std::span<const Binding> touched, std::shared_ptr<void> keep) {
    if (!m_outcome) return VK_NULL_HANDLE;
    declare(touched);
    m_resources->others.push_back(std::move(keep));
    return m_resources->commands;
}

VkCommandBuffer Recorder::commands() const { return m_resources->commands; }

std::shared_ptr<void> Recorder::resources() const { return m_resources; }

} // namespace wb::gpu
