// SPDX-License-Identifier: MIT
#include "gpu/device/completion_markers.h"

#include "gpu/device/device.h"

namespace wb::gpu {

Result<std::unique_ptr<CompletionMarkers>> CompletionMarkers::make(Device& device) {
    std::unique_ptr<CompletionMarkers> proofs(new CompletionMarkers(device));
    WB_TRY_ASSIGN(proofs->m_numbers, device.buffer(completionWords * sizeof(std::uint32_t), Memory::Upload));
    VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool.queueFamilyIndex = device.queueFamily();
    WB_TRY(device.check(device.vk().vkCreateCommandPool(device.handle(), &pool, nullptr, &proofs->m_pool), "vkCreateCommandPool"));
    return proofs;
}

CompletionMarkers::~CompletionMarkers() { m_device.vk().vkDestroyCommandPool(m_device.handle(), m_pool, nullptr); }

Result<VkCommandBuffer> CompletionMarkers::commands(std::uint64_t value, const View& word) {
    const std::uint64_t slot = value % completionWords;
    if (m_commands[slot] == VK_NULL_HANDLE) WB_TRY(record(slot, word));
    m_numbers->map<std::uint32_t>()[slot] = static_cast<std::uint32_t>(value);
    return m_commands[slot];
}

Result<void> CompletionMarkers::record(std::uint64_t slot, const View& word) {
    const VolkDeviceTable& vk = m_device.vk();
    VkCommandBufferAllocateInfo buffer{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    buffer.commandPool = m_pool;
    buffer.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    buffer.commandBufferCount = 1;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    WB_TRY(m_device.check(vk.vkAllocateCommandBuffers(m_device.handle(), &buffer, &commands), "vkAllocateCommandBuffers"));
    VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    info.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    WB_TRY(m_device.check(vk.vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer"));
    const auto barrier = [&](VkAccessFlags from, VkAccessFlags to, VkPipelineStageFlags before, VkPipelineStageFlags after) {
        const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, from, to};
        vk.vkCmdPipelineBarrier(commands, before, after, 0, 1, &memory, 0, nullptr, 0, nullptr);
    };
    barrier(VK_ACCESS_MEMORY_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
            VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT);
    const VkBufferCopy region{slot * sizeof(std::uint32_t), word.offset, word.bytes};
    vk.vkCmdCopyBuffer(commands, m_numbers->handle(), word.buffer->handle(), 1, &region);
    barrier(VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_HOST_READ_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT);
    WB_TRY(m_device.check(vk.vkEndCommandBuffer(commands), "vkEndCommandBuffer"));
    m_commands[slot] = commands;
    return {};
}

} // namespace wb::gpu
