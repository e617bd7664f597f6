// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/recorder.h"
#include "gpu/imview/painter.h"

#include <map>
#include <optional>
#include <vector>

namespace wb::gpu::imview {

// A texture on a device.
struct Texture {
    Image image;
    std::optional<Image> colors;  // of a value texture
    Owned<VkDescriptorPool> pool; // of this one set
    VkDescriptorSet set = VK_NULL_HANDLE;
    std::uint32_t curve = 0; // which pipeline draws it
    Push push = {};          // the part after the transform
};

// The textures of one canvas on one device. Used by the renderer's thread only.
class TextureTable {
public:
    explicit TextureTable(PainterPtr painter) : m_painter(std::move(painter)) {}

    // Records the changes. Replaced or destroyed objects stay alive until collect().
    Result<void> record(const std::vector<TextureChange>& changes, Recorder& recorder);

    // To be called when the device is done with everything that was recorded.
    void collect() { m_old.clear(); }

    const Texture* find(TextureId id) const;

private:
    Result<void> create(const TextureChange& change, VkCommandBuffer commands);
    void remove(TextureId id);

    PainterPtr m_painter;
    std::map<TextureId, Texture> m_textures;
    std::vector<Texture> m_old;
};

} // namespace wb::gpu::imview
