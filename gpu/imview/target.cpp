// SPDX-License-Identifier: MIT
#include "gpu/imview/target.h"

#include <algorithm>

namespace wb::gpu::imview {
namespace {

int roundedUp(int pixels) { return (pixels + 63) / 64 * 64; }

// Rows of a picture follow each other without a gap, so a buffer serves every picture that is not larger; one that is far too large
// is given back.
bool fits(const Buffer& buffer, std::uint64_t bytes) { return buffer.bytes() >= bytes && buffer.bytes() <= 4 * bytes + (1u << 16); }

} // namespace

Result<void> Target::fit(const Painter& painter, int width, int height) {
    width = roundedUp(width);
    height = roundedUp(height);
    if (m_image.width == width && m_image.height == height) return {};
    m_framebuffer = {};
    m_image = {};
    Device& device = *painter.device;
    WB_TRY_ASSIGN(Image image, Image::create(device, width, height, colorFormat,
                                             VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT));
    const VkImageView view = image.view.get();
    VkFramebufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO;
    info.renderPass = painter.pass.get();
    info.attachmentCount = 1;
    info.pAttachments = &view;
    info.width = static_cast<std::uint32_t>(width);
    info.height = static_cast<std::uint32_t>(height);
    info.layers = 1;
    WB_TRY_ASSIGN(m_framebuffer,
                  make(device, device.vk().vkCreateFramebuffer, device.vk().vkDestroyFramebuffer, info, "vkCreateFramebuffer"));
    m_image = std::move(image);
    return {};
}

Result<BufferPtr> PictureBuffers::take(Device& device, std::uint64_t bytes) {
    std::erase_if(m_slots, [&](const Slot& slot) { return slot.user.expired() && !fits(*slot.buffer, bytes); });
    const auto idle = std::ranges::find_if(m_slots, [](const Slot& slot) { return slot.user.expired(); });
    if (idle != m_slots.end()) return idle->buffer;
    WB_TRY_ASSIGN(const BufferPtr buffer, device.buffer(bytes, Memory::Readback));
    m_slots.push_back({buffer, {}});
    return buffer;
}

PicturePtr PictureBuffers::wrap(const DevicePtr& device, const BufferPtr& buffer, int width, int height, std::uint64_t frame) {
    struct Kept { // in this order: the buffer must not outlive its device
        DevicePtr device;
        BufferPtr buffer;
    };
    auto picture = std::make_shared<Picture>();
    picture->width = width;
    picture->height = height;
    picture->frame = frame;
    picture->rgba = buffer->map<std::byte>().first(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
    picture->memory = std::make_shared<Kept>(device, buffer);
    const auto slot = std::ranges::find_if(m_slots, [&](const Slot& one) { return one.buffer == buffer; });
    if (slot != m_slots.end()) slot->user = picture;
    return picture;
}

} // namespace wb::gpu::imview
