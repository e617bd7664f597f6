// SPDX-License-Identifier: MIT
#include "gpu/device/buffer.h"

#include "gpu/device/device.h"

#include <algorithm>

namespace wb::gpu {
namespace {

VkMemoryPropertyFlags wishedFor(Memory memory) {
    switch (memory) {
    case Memory::Device: return VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    case Memory::Upload: return VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    case Memory::Readback:
        return VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    }
    return 0;
}

} // namespace

// Every device has a type that is visible and coherent, but not always one that is cached besides.
std::uint32_t Device::memoryType(std::uint32_t allowed, Memory memory) const {
    const VkMemoryPropertyFlags wished = wishedFor(memory);
    const VkMemoryPropertyFlags enough = wished & ~static_cast<VkMemoryPropertyFlags>(VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    for (const VkMemoryPropertyFlags flags : {wished, enough}) {
        for (std::uint32_t type = 0; type < m_memory.memoryTypeCount; ++type) {
            if ((allowed >> type & 1) != 0 && (m_memory.memoryTypes[type].propertyFlags & flags) == flags) return type;
        }
    }
    return 0;
}

Result<BufferPtr> Device::buffer(std::uint64_t bytes, Memory memory) {
    if (m_lost) WB_TRY(check(VK_ERROR_DEVICE_LOST, "buffer"));
    const auto buffer = std::make_shared<Buffer>(*this, (std::max<std::uint64_t>(bytes, 1) + 15) / 16 * 16, memory);
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = buffer->m_bytes;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                 VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT;
    if (feignsFull()) WB_TRY(check(VK_ERROR_OUT_OF_DEVICE_MEMORY, "vkCreateBuffer"));
    WB_TRY(check(m_vk.vkCreateBuffer(m_device, &info, nullptr, &buffer->m_buffer), "vkCreateBuffer"));

    VkMemoryRequirements needs;
    m_vk.vkGetBufferMemoryRequirements(m_device, buffer->m_buffer, &needs);
    VkMemoryAllocateInfo allocation{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    allocation.allocationSize = needs.size;
    allocation.memoryTypeIndex = memoryType(needs.memoryTypeBits, memory);
    WB_TRY(check(m_vk.vkAllocateMemory(m_device, &allocation, nullptr, &buffer->m_allocation), "vkAllocateMemory"));
    WB_TRY(check(m_vk.vkBindBufferMemory(m_device, buffer->m_buffer, buffer->m_allocation, 0), "vkBindBufferMemory"));
    if (memory != Memory::Device)
        WB_TRY(check(m_vk.vkMapMemory(m_device, buffer->m_allocation, 0, VK_WHOLE_SIZE, 0, &buffer->m_mapped), "vkMapMemory"));
    return buffer;
}

Buffer::~Buffer() {
    m_device.vk().vkDestroyBuffer(m_device.handle(), m_buffer, nullptr);
    m_device.vk().vkFreeMemory(m_device.handle(), m_allocation, nullptr);
}

} // namespace wb::gpu
