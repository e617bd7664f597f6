// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/imview/texture_change.h"

#include <array>
#include <map>
#include <vector>

namespace wb::gpu::imview {

// A texture in the CPU's memory.
struct RasterTexture {
    int width = 0, height = 0;
    Filter filter = Filter::Nearest;
    bool values = false;
    std::vector<std::uint32_t> texels; // row by row: 0xAABBGGRR, or f32 as their bits
    std::uint32_t curve = 0;           // of a value texture, as the next two
    Push push = {};
    std::array<std::uint32_t, 256> colors = {};

    std::uint32_t word(int x, int y) const {
        return texels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
    }
    std::uint32_t color(std::uint32_t word) const { return values ? valueColor(word) : word; } // of a texel

private:
    std::uint32_t valueColor(std::uint32_t bits) const;
};

// The textures of one canvas.
class RasterTextures {
public:
    void apply(const std::vector<TextureChange>& changes);
    const RasterTexture* find(TextureId id) const;

private:
    void create(const TextureChange& change);

    std::map<TextureId, RasterTexture> m_textures;
};

} // namespace wb::gpu::imview
