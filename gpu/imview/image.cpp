// SPDX-License-Identifier: MIT
#include "gpu/imview/image.h"

namespace wb::gpu::imview {
namespace {

VkImageCreateInfo imageInfo(int width, int height, VkFormat format, VkImageUsageFlags usage) {
    VkImageCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = format;
    info.extent = {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), 1};
    info.mipLevels = 1;
    info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.tiling = VK_IMAGE_TILING_OPTIMAL;
    info.usage = usage;
    return info;
}

Result<Owned<VkDeviceMemory>> memoryFor(Device& device, VkImage image) {
    VkMemoryRequirements needed{};
    device.vk().vkGetImageMemoryRequirements(device.handle(), image, &needed);
    VkMemoryAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    info.allocationSize = needed.size;
    WB_TRY_ASSIGN(info.memoryTypeIndex, device.memoryType(needed.memoryTypeBits, Memory::Device));
    return make(device, device.vk().vkAllocateMemory, device.vk().vkFreeMemory, info, "vkAllocateMemory");
}

} // namespace

Result<Image> Image::create(Device& device, int width, int height, VkFormat format, VkImageUsageFlags usage) {
    const VolkDeviceTable& vk = device.vk();
    Image made;
    made.width = width;
    made.height = height;
    WB_TRY_ASSIGN(made.image,
                  make(device, vk.vkCreateImage, vk.vkDestroyImage, imageInfo(width, height, format, usage), "vkCreateImage"));
    WB_TRY_ASSIGN(made.memory, memoryFor(device, made.image.get()));
    WB_TRY(device.check(vk.vkBindImageMemory(device.handle(), made.image.get(), made.memory.get(), 0), "vkBindImageMemory"));

    VkImageViewCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
    info.image = made.image.get();
    info.viewType = VK_IMAGE_VIEW_TYPE_2D;
    info.format = format;
    info.subresourceRange = wholeImage;
    WB_TRY_ASSIGN(made.view, make(device, vk.vkCreateImageView, vk.vkDestroyImageView, info, "vkCreateImageView"));
    return made;
}

void changeUse(const VolkDeviceTable& vk, VkCommandBuffer commands, VkImage image, const ImageUse& from, const ImageUse& to) {
    VkImageMemoryBarrier barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
    barrier.srcAccessMask = from.access;
    barrier.dstAccessMask = to.access;
    barrier.oldLayout = from.layout;
    barrier.newLayout = to.layout;
    barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = wholeImage;
    vk.vkCmdPipelineBarrier(commands, from.stages, to.stages, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

} // namespace wb::gpu::imview
