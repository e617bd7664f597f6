// SPDX-License-Identifier: MIT
#include "gpu/imview/device_frame.h"

#include <algorithm>
#include <cstring>

namespace wb::gpu::imview {
namespace {

VkExtent2D listsExtent(const DrawLists& lists) {
    return {static_cast<std::uint32_t>(lists.width), static_cast<std::uint32_t>(lists.height)};
}

std::uint64_t vertexBytes(const DrawLists& lists) { return lists.vertices.size() * sizeof(ImDrawVert); }
std::uint64_t indexBytes(const DrawLists& lists) { return lists.indices.size() * sizeof(ImDrawIdx); }

VkRect2D commandScissor(const DrawCommand& command) {
    return {{command.clipX, command.clipY},
            {static_cast<std::uint32_t>(command.clipWidth), static_cast<std::uint32_t>(command.clipHeight)}};
}

} // namespace

Result<void> DeviceFrameMaker::upload(const DrawLists& lists) {
    const std::uint64_t bytes = vertexBytes(lists) + indexBytes(lists);
    if (!m_geometry || m_geometry->bytes() < bytes) {
        m_geometry.reset();
        WB_TRY_ASSIGN(m_geometry, m_painter->device->buffer(std::max<std::uint64_t>(bytes + bytes / 2, 1u << 16), Memory::Upload));
    }
    m_firstIndexByte = vertexBytes(lists); // a multiple of 20, so also of the 2 that an index buffer asks for
    std::byte* const memory = m_geometry->map<std::byte>().data();
    if (!lists.vertices.empty()) std::memcpy(memory, lists.vertices.data(), vertexBytes(lists));
    if (!lists.indices.empty()) std::memcpy(memory + m_firstIndexByte, lists.indices.data(), indexBytes(lists));
    return {};
}

void DeviceFrameMaker::recordDraws(VkCommandBuffer commands, const DrawLists& lists) const {
    const VolkDeviceTable& vk = m_painter->device->vk();
    TextureId bound = 0;
    const Texture* texture = nullptr;
    for (const DrawCommand& command : lists.commands) {
        if (!texture || command.texture != bound) {
            texture = m_textures.find(command.texture);
            if (!texture) continue; // destroyed after this frame was built
            bound = command.texture;
            vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, m_painter->pipelines[texture->curve].get());
            vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, m_painter->layout.get(), 0, 1, &texture->set, 0,
                                       nullptr);
            Push push = texture->push;
            push.scaleX = lists.scaleX;
            push.scaleY = lists.scaleY;
            push.moveX = lists.moveX;
            push.moveY = lists.moveY;
            vk.vkCmdPushConstants(commands, m_painter->layout.get(), VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                                  sizeof push, &push);
        }
        const VkRect2D scissor = commandScissor(command);
        vk.vkCmdSetScissor(commands, 0, 1, &scissor);
        vk.vkCmdDrawIndexed(commands, command.indexCount, 1, command.firstIndex, command.vertexOffset, 0);
    }
}

void DeviceFrameMaker::recordPass(VkCommandBuffer commands, const DrawLists& lists) const {
    const VolkDeviceTable& vk = m_painter->device->vk();
    const VkClearValue transparent{};
    VkRenderPassBeginInfo info{};
    info.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO;
    info.renderPass = m_painter->pass.get();
    info.framebuffer = m_target.framebuffer();
    info.renderArea = {{0, 0}, listsExtent(lists)};
    info.clearValueCount = 1;
    info.pClearValues = &transparent;
    vk.vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    if (!lists.commands.empty()) {
        const VkViewport viewport{0, 0, static_cast<float>(lists.width), static_cast<float>(lists.height), 0, 1};
        const VkBuffer geometry = m_geometry->handle();
        const VkDeviceSize first = 0;
        vk.vkCmdSetViewport(commands, 0, 1, &viewport);
        vk.vkCmdBindVertexBuffers(commands, 0, 1, &geometry, &first);
        vk.vkCmdBindIndexBuffer(commands, geometry, m_firstIndexByte, VK_INDEX_TYPE_UINT16);
        recordDraws(commands, lists);
    }
    vk.vkCmdEndRenderPass(commands);
}

void DeviceFrameMaker::recordCopy(VkCommandBuffer commands, const DrawLists& lists, VkBuffer to) const {
    const VolkDeviceTable& vk = m_painter->device->vk();
    VkBufferImageCopy region{};
    region.imageSubresource = firstLevel;
    region.imageExtent = {listsExtent(lists).width, listsExtent(lists).height, 1};
    vk.vkCmdCopyImageToBuffer(commands, m_target.image(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to, 1, &region);
}

Result<PicturePtr> DeviceFrameMaker::make(const std::vector<TextureChange>& changes, const DrawLists& lists, std::uint64_t frame) {
    const bool draws = isDrawable(lists);
    if (!draws && changes.empty()) return nullptr;
    Recorder recorder(m_painter->device);
    WB_TRY(m_textures.record(changes, recorder));
    BufferPtr pixels;
    if (draws) {
        WB_TRY(m_target.fit(*m_painter, lists.width, lists.height));
        WB_TRY(upload(lists));
        WB_TRY_ASSIGN(pixels,
                      m_pictures.take(*m_painter->device, std::uint64_t{4} * listsExtent(lists).width * listsExtent(lists).height));
        if (const VkCommandBuffer commands = recorder.raw({}, pixels); commands != VK_NULL_HANDLE) {
            recordPass(commands, lists);
            recordCopy(commands, lists, pixels->handle());
        }
    }
    WB_TRY_ASSIGN(const Ticket ticket, m_painter->device->submit(std::move(recorder)));
    WB_TRY(ticket.wait());
    m_textures.collect();
    return draws ? m_pictures.wrap(m_painter->device, pixels, lists.width, lists.height, frame) : nullptr;
}

} // namespace wb::gpu::imview
