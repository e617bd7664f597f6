// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "gpu/imview/draw_lists.h"
#include "gpu/imview/raster_textures.h"

#include <span>

namespace wb::gpu::imview {

// Draws lists on the CPU the way Vulkan prescribes it for a device: pixel centres against edges by the top-left rule,
// vertices on a grid of 1/256 pixel, straight-alpha colors blended into a premultiplied picture of 8 bits a channel. The scalar
// twin in tests/gpu/imview/reference.cpp is the truth, which it equals pixel by pixel.
//
// `pixels` are width · height of the lists, row by row from the top, 0xAABBGGRR; they are drawn over. Bands of rows are shared by
// up to `threads` threads (0: as many as the machine has). Commands of textures that do not exist draw nothing.
Result<void> rasterize(const DrawLists& lists, const RasterTextures& textures, std::span<std::uint32_t> pixels, unsigned threads);

} // namespace wb::gpu::imview
