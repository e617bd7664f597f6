// SPDX-License-Identifier: MIT
#include "gpu/device/buffer.h"

#include "gpu/device/device.h"

#include <algorithm>

namespace wb::gpu {
Result<BufferPtr> Buffer::create(Device& device, std::uint64_t bytes, Memory memory) {
    const auto buffer = std::make_shared<Buffer>(device, (std::max<std::uint64_t>(bytes, 1) + 15) / 16 * 16, memory);
    WB_TRY(buffer->allocate());
    return buffer;
}

Result<void> Buffer::allocate() {
    const VolkDeviceTable& vk = m_device.vk();
    const VkDevice device = m_device.handle();
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = m_bytes;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                 VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT;
    WB_TRY(m_device.check(vk.vkCreateBuffer(device, &info, nullptr, &m_buffer), "vkCreateBuffer"));

    VkMemoryRequirements needs;
    vk.vkGetBufferMemoryRequirements(device, m_buffer, &needs);
    VkMemoryAllocateInfo allocation{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    allocation.allocationSize = needs.size;
    WB_TRY_ASSIGN(allocation.memoryTypeIndex, m_device.memoryType(needs.memoryTypeBits, m_memory));
    WB_TRY(m_device.check(vk.vkAllocateMemory(device, &allocation, nullptr, &m_allocation), "vkAllocateMemory"));
    if (m_memory == Memory::Device) m_device.m_taken += m_bytes;
    WB_TRY(m_device.check(vk.vkBindBufferMemory(device, m_buffer, m_allocation, 0), "vkBindBufferMemory"));
    if (m_memory != Memory::Device)
        WB_TRY(m_device.check(vk.vkMapMemory(device, m_allocation, 0, VK_WHOLE_SIZE, 0, &m_mapped), "vkMapMemory"));
    return {};
}

Buffer::~Buffer() {
    if (m_memory == Memory::Device && m_allocation != VK_NULL_HANDLE) m_device.m_taken -= m_bytes;
    m_device.vk().vkDestroyBuffer(m_device.handle(), m_buffer, nullptr);
    m_device.vk().vkFreeMemory(m_device.handle(), m_allocation, nullptr);
}

} // namespace wb::gpu
