// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/imview/owned.h"

namespace wb::gpu::imview {

// A two-dimensional image in the device's memory with its view: one level, one layer.
struct Image {
    int width = 0, height = 0;
    Owned<VkDeviceMemory> memory; // outlives the image
    Owned<VkImage> image;
    Owned<VkImageView> view;

    static Result<Image> create(Device& device, int width, int height, VkFormat format, VkImageUsageFlags usage);
};

// How the commands before and after a barrier use an image.
struct ImageUse {
    VkImageLayout layout;
    VkAccessFlags access;
    VkPipelineStageFlags stages;
};
inline constexpr ImageUse unusedImage = {VK_IMAGE_LAYOUT_UNDEFINED, 0, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT};
inline constexpr ImageUse filledImage = {VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_ACCESS_TRANSFER_WRITE_BIT,
                                         VK_PIPELINE_STAGE_TRANSFER_BIT};
inline constexpr ImageUse sampledImage = {VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_ACCESS_SHADER_READ_BIT,
                                          VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT};

void changeUse(const VolkDeviceTable& vk, VkCommandBuffer commands, VkImage image, const ImageUse& from, const ImageUse& to);

// The whole of a color image.
inline constexpr VkImageSubresourceRange wholeImage = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
inline constexpr VkImageSubresourceLayers firstLevel = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};

} // namespace wb::gpu::imview
