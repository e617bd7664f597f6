// SPDX-License-Identifier: MIT
#include "gpu/imview/texture_table.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

namespace wb::gpu::imview {
namespace {

constexpr VkImageUsageFlags textureUse = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;

Result<Owned<VkDescriptorPool>> makePool(Device& device) {
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2};
    VkDescriptorPoolCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    info.maxSets = 1;
    info.poolSizeCount = 1;
    info.pPoolSizes = &size;
    return make(device, device.vk().vkCreateDescriptorPool, device.vk().vkDestroyDescriptorPool, info, "vkCreateDescriptorPool");
}

Result<void> bindImages(const Painter& painter, Texture& texture, Filter filter) {
    Device& device = *painter.device;
    WB_TRY_ASSIGN(texture.pool, makePool(device));
    const VkDescriptorSetLayout layout = painter.setLayout.get();
    VkDescriptorSetAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    info.descriptorPool = texture.pool.get();
    info.descriptorSetCount = 1;
    info.pSetLayouts = &layout;
    WB_TRY(device.check(device.vk().vkAllocateDescriptorSets(device.handle(), &info, &texture.set), "vkAllocateDescriptorSets"));

    // A texture of colors has no second image; the shader does not read it then, but the binding must be valid.
    const Image& colors = texture.colors ? *texture.colors : texture.image;
    const VkSampler sampler = filter == Filter::Linear ? painter.linear.get() : painter.nearest.get();
    const std::array images{
        VkDescriptorImageInfo{sampler, texture.image.view.get(), VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
        VkDescriptorImageInfo{painter.nearest.get(), colors.view.get(), VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL}};
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = texture.set;
    write.descriptorCount = static_cast<std::uint32_t>(images.size());
    write.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    write.pImageInfo = images.data();
    device.vk().vkUpdateDescriptorSets(device.handle(), 1, &write, 0, nullptr);
    return {};
}

void clear(const VolkDeviceTable& vk, VkCommandBuffer commands, const Image& image, float with) {
    const VkClearColorValue color{{with, with, with, with}};
    changeUse(vk, commands, image.image.get(), unusedImage, filledImage);
    vk.vkCmdClearColorImage(commands, image.image.get(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1, &wholeImage);
    changeUse(vk, commands, image.image.get(), filledImage, sampledImage);
}

void fill(const VolkDeviceTable& vk, VkCommandBuffer commands, const Image& image, const TextureRect& rect, VkBuffer from,
          VkDeviceSize offset) {
    VkBufferImageCopy region{};
    region.bufferOffset = offset;
    region.imageSubresource = firstLevel;
    region.imageOffset = {rect.x, rect.y, 0};
    region.imageExtent = {static_cast<std::uint32_t>(rect.width), static_cast<std::uint32_t>(rect.height), 1};
    changeUse(vk, commands, image.image.get(), sampledImage, filledImage);
    vk.vkCmdCopyBufferToImage(commands, from, image.image.get(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    changeUse(vk, commands, image.image.get(), filledImage, sampledImage);
}

std::uint64_t stagedBytes(const std::vector<TextureChange>& changes) {
    std::uint64_t bytes = 0;
    for (const TextureChange& change : changes) bytes += change.words.size() * sizeof(std::uint32_t);
    return bytes;
}

} // namespace

const Texture* TextureTable::find(TextureId id) const {
    const auto found = m_textures.find(id);
    return found == m_textures.end() ? nullptr : &found->second;
}

void TextureTable::remove(TextureId id) {
    const auto found = m_textures.find(id);
    if (found == m_textures.end()) return;
    m_old.push_back(std::move(found->second));
    m_textures.erase(found);
}

Result<void> TextureTable::create(const TextureChange& change, VkCommandBuffer commands) {
    remove(change.texture);
    Device& device = *m_painter->device;
    const VkFormat format = change.values ? valueFormat : colorFormat;
    Texture texture;
    WB_TRY_ASSIGN(texture.image, Image::create(device, change.rect.width, change.rect.height, format, textureUse));
    clear(device.vk(), commands, texture.image, change.values ? std::numeric_limits<float>::quiet_NaN() : 0.0f);
    if (change.values) {
        WB_TRY_ASSIGN(texture.colors, Image::create(device, 256, 1, colorFormat, textureUse));
        clear(device.vk(), commands, *texture.colors, 0.0f);
        texture.curve = static_cast<std::uint32_t>(Curve::Linear);
    }
    WB_TRY(bindImages(*m_painter, texture, change.filter));
    m_textures.emplace(change.texture, std::move(texture));
    return {};
}

Result<void> TextureTable::record(const std::vector<TextureChange>& changes, Recorder& recorder) {
    if (changes.empty()) return {};
    Device& device = *m_painter->device;
    WB_TRY_ASSIGN(const BufferPtr staging, device.buffer(std::max<std::uint64_t>(stagedBytes(changes), 16), Memory::Upload));
    const VkCommandBuffer commands = recorder.raw({}, staging);
    if (commands == VK_NULL_HANDLE) return {};
    const std::span<std::uint32_t> room = staging->map<std::uint32_t>();
    std::size_t used = 0;
    for (const TextureChange& change : changes) {
        if (change.kind == TextureChange::Kind::Create) WB_TRY(create(change, commands));
        if (change.kind == TextureChange::Kind::Destroy) remove(change.texture);
        const auto found = m_textures.find(change.texture);
        if (found == m_textures.end() || change.words.empty()) continue;
        Texture& texture = found->second;
        std::ranges::copy(change.words, room.begin() + static_cast<std::ptrdiff_t>(used));
        const bool scale = change.kind == TextureChange::Kind::Scale;
        assert(!scale || texture.colors);
        if (scale) {
            texture.push = change.push;
            texture.curve = change.curve;
        }
        fill(device.vk(), commands, scale ? *texture.colors : texture.image, scale ? TextureRect{0, 0, 256, 1} : change.rect,
             staging->handle(), used * sizeof(std::uint32_t));
        used += change.words.size();
    }
    return {};
}

} // namespace wb::gpu::imview
