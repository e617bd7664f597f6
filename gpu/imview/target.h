// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/imview/canvas.h"
#include "gpu/imview/painter.h"

#include <vector>

namespace wb::gpu::imview {

// The image that a canvas draws into. It grows in steps, so that dragging a window's edge does not allocate for every pixel.
class Target {
public:
    Result<void> fit(const Painter& painter, int width, int height);

    VkImage image() const { return m_image.image.get(); }
    VkFramebuffer framebuffer() const { return m_framebuffer.get(); }

private:
    Image m_image;
    Owned<VkFramebuffer> m_framebuffer;
};

// Memory that pictures are copied into, taken in turn: while one picture is being painted, the next is drawn into another. More
// than two exist only as long as someone holds old pictures.
class PictureBuffers {
public:
    // A buffer of at least that size which no picture uses.
    Result<BufferPtr> take(Device& device, std::uint64_t bytes);

    // Marks the buffer as used as long as the picture lives.
    PicturePtr wrap(const DevicePtr& device, const BufferPtr& buffer, int width, int height, std::uint64_t frame);

private:
    struct Slot {
        BufferPtr buffer;
        std::weak_ptr<const Picture> user;
    };
    std::vector<Slot> m_slots;
};

} // namespace wb::gpu::imview
