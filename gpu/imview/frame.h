// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/imview/draw_lists.h"
#include "gpu/imview/target.h"
#include "gpu/imview/texture_table.h"

namespace wb::gpu::imview {

// What a canvas owns on the device. Used by the renderer's thread only, which waits for every frame, so nothing here is in use by
// the device between two calls.
class FrameMaker {
public:
    explicit FrameMaker(PainterPtr painter) : m_painter(painter), m_textures(std::move(painter)) {}

    const PainterPtr& painter() const { return m_painter; }

    // Changes the textures, then draws. Null where the frame has no pixels or too many.
    Result<PicturePtr> make(const std::vector<TextureChange>& changes, const DrawLists& lists, std::uint64_t frame);

private:
    Result<void> upload(const DrawLists& lists);
    void recordPass(VkCommandBuffer commands, const DrawLists& lists) const;
    void recordDraws(VkCommandBuffer commands, const DrawLists& lists) const;
    void recordCopy(VkCommandBuffer commands, const DrawLists& lists, VkBuffer to) const;

    PainterPtr m_painter;
    TextureTable m_textures;
    Target m_target;
    PictureBuffers m_pictures;
    BufferPtr m_geometry; // vertices, then indices
    VkDeviceSize m_firstIndexByte = 0;
};

} // namespace wb::gpu::imview
