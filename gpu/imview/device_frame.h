// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/imview/frame.h"
#include "gpu/imview/target.h"
#include "gpu/imview/texture_table.h"

namespace wb::gpu::imview {

// Frames drawn on a device. The renderer's thread waits for every frame, so nothing here is in use by the device between two calls.
class DeviceFrameMaker : public FrameMaker {
public:
    explicit DeviceFrameMaker(PainterPtr painter) : FrameMaker(painter), m_textures(std::move(painter)) {}

    Result<PicturePtr> make(const std::vector<TextureChange>& changes, const DrawLists& lists, std::uint64_t frame) override;

private:
    Result<void> upload(const DrawLists& lists);
    void recordPass(VkCommandBuffer commands, const DrawLists& lists) const;
    void recordDraws(VkCommandBuffer commands, const DrawLists& lists) const;
    void recordCopy(VkCommandBuffer commands, const DrawLists& lists, VkBuffer to) const;

    TextureTable m_textures;
    Target m_target;
    PictureBuffers m_pictures;
    BufferPtr m_geometry; // vertices, then indices
    VkDeviceSize m_firstIndexByte = 0;
};

} // namespace wb::gpu::imview
