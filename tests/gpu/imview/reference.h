// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/imview/draw_lists.h"

#include <cstdint>
#include <map>
#include <vector>

namespace wb::test {

// A texture as the reference sees it.
struct ReferenceTexture {
    int width = 1, height = 1;
    std::vector<std::uint32_t> texels = {0xffffffff};
    gpu::imview::Filter filter = gpu::imview::Filter::Nearest;
};
using ReferenceTextures = std::map<std::uint32_t, ReferenceTexture>;

// Draws lists the way Vulkan prescribes, slowly: pixel centres against edges, the top-left rule, vertices on a grid of 1/256 pixel,
// straight-alpha colours blended into a premultiplied picture. Pixels as 0xAABBGGRR.
std::vector<std::uint32_t> drawReference(const gpu::imview::DrawLists& lists, const ReferenceTextures& textures);

} // namespace wb::test
